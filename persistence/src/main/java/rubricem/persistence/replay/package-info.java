@NullMarked
package rubricem.persistence.replay;

import org.jspecify.annotations.NullMarked;
