@NullMarked
package rubricem.app.bench;

import org.jspecify.annotations.NullMarked;
