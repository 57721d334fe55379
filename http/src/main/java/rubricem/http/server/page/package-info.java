@NullMarked
package rubricem.http.server.page;

import org.jspecify.annotations.NullMarked;
