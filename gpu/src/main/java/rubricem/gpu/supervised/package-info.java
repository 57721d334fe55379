/** Supervised training: rows out of a file of conversations, their order, and the run over them. */
@NullMarked
package rubricem.gpu.supervised;

import org.jspecify.annotations.NullMarked;
