@NullMarked
package rubricem.http.server.research;

import org.jspecify.annotations.NullMarked;
