@NullMarked
package rubricem.app;

import org.jspecify.annotations.NullMarked;
