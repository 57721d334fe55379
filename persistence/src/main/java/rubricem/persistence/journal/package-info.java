@NullMarked
package rubricem.persistence.journal;

import org.jspecify.annotations.NullMarked;
