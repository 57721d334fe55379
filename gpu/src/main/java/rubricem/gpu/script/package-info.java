/** Programs for libtorch, written as text by us, packed, loaded and called without Python. */
@NullMarked
package rubricem.gpu.script;

import org.jspecify.annotations.NullMarked;
