/** The local documents: read, cut into passages, indexed by words and by meaning, searched. */
@NullMarked
package rubricem.persistence.corpus;

import org.jspecify.annotations.NullMarked;
