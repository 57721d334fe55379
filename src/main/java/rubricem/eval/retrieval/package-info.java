/** How well documents are found: by plain search, and by a policy that searches on its own. */
@NullMarked
package rubricem.eval.retrieval;

import org.jspecify.annotations.NullMarked;
