@NullMarked
package rubricem.actors.policy;

import org.jspecify.annotations.NullMarked;
