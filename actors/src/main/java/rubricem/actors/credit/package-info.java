/** From scores of stages to advantages of tokens: pure decisions. */
@NullMarked
package rubricem.actors.credit;

import org.jspecify.annotations.NullMarked;
