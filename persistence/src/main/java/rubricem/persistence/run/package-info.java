@NullMarked
package rubricem.persistence.run;

import org.jspecify.annotations.NullMarked;
