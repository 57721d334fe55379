/** The embedding model that comes with the build. */
@NullMarked
package rubricem.gpu.embed;

import org.jspecify.annotations.NullMarked;
