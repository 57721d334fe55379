/** The policy of a model folder on this machine: texts in, texts out, tokens between. */
@NullMarked
package rubricem.gpu.policy;

import org.jspecify.annotations.NullMarked;
