@NullMarked
package rubricem.protocol.run;

import org.jspecify.annotations.NullMarked;
