@NullMarked
package rubricem.http.server.health;

import org.jspecify.annotations.NullMarked;
