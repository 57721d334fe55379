@NullMarked
package rubricem.persistence.serialization;

import org.jspecify.annotations.NullMarked;
