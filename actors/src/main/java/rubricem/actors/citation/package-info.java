@NullMarked
package rubricem.actors.citation;

import org.jspecify.annotations.NullMarked;
