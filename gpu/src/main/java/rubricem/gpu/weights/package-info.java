/** Model folders and adapter folders as Hugging Face and PEFT lay them out, read and written. */
@NullMarked
package rubricem.gpu.weights;

import org.jspecify.annotations.NullMarked;
