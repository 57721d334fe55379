/** Stand-ins and tools that tests of several rooms share. */
@NullMarked
package rubricem.testkit;

import org.jspecify.annotations.NullMarked;
