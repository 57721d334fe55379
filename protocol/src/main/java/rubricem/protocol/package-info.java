/**
 * The words every room shares: records, sealed messages, the scaffold grammar and the ports. No
 * I/O.
 */
@NullMarked
package rubricem.protocol;

import org.jspecify.annotations.NullMarked;
