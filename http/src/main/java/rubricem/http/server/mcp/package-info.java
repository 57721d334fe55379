/** The episodes as tools and resources of the Model Context Protocol, over HTTP and over lines. */
@NullMarked
package rubricem.http.server.mcp;

import org.jspecify.annotations.NullMarked;
