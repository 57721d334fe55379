@NullMarked
package rubricem.protocol.episode;

import org.jspecify.annotations.NullMarked;
