@NullMarked
package rubricem.actors.episode;

import org.jspecify.annotations.NullMarked;
