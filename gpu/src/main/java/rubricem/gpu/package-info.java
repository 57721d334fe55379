/** Everything that touches DJL: models on a device, in this process. */
@NullMarked
package rubricem.gpu;

import org.jspecify.annotations.NullMarked;
