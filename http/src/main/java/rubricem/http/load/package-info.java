/** Clients that put a node under load. */
@NullMarked
package rubricem.http.load;

import org.jspecify.annotations.NullMarked;
