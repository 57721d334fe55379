@NullMarked
package rubricem.protocol.port;

import org.jspecify.annotations.NullMarked;
