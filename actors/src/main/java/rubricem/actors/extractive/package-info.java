@NullMarked
package rubricem.actors.extractive;

import org.jspecify.annotations.NullMarked;
