@NullMarked
package rubricem.protocol.evidence;

import org.jspecify.annotations.NullMarked;
