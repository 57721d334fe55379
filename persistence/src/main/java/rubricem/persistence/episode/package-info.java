@NullMarked
package rubricem.persistence.episode;

import org.jspecify.annotations.NullMarked;
