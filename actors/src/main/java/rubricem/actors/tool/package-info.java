@NullMarked
package rubricem.actors.tool;

import org.jspecify.annotations.NullMarked;
