@NullMarked
package rubricem.actors.call;

import org.jspecify.annotations.NullMarked;
