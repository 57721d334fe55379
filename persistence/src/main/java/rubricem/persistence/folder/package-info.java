@NullMarked
package rubricem.persistence.folder;

import org.jspecify.annotations.NullMarked;
