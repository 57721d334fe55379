/**
 * A policy without a model: it answers with sentences of the passages it finds. Everything here
 * but {@link rubricem.actors.extractive.ExtractivePolicy} is pure.
 */
@NullMarked
package rubricem.actors.extractive;

import org.jspecify.annotations.NullMarked;
