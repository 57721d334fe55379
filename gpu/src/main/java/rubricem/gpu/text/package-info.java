/** Between text and tokens: Qwen's tokenizer and chat template, and text that is still growing. */
@NullMarked
package rubricem.gpu.text;

import org.jspecify.annotations.NullMarked;
