@NullMarked
package rubricem.protocol.scaffold;

import org.jspecify.annotations.NullMarked;
