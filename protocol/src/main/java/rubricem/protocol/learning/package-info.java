/** What the learner is given and how it is told to learn: rollouts, supervised rows, options. */
@NullMarked
package rubricem.protocol.learning;

import org.jspecify.annotations.NullMarked;
