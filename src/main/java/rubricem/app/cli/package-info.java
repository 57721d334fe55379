@NullMarked
package rubricem.app.cli;

import org.jspecify.annotations.NullMarked;
