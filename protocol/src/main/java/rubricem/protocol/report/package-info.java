@NullMarked
package rubricem.protocol.report;

import org.jspecify.annotations.NullMarked;
