/** Training runs on disk, and supervised training as a run. */
@NullMarked
package rubricem.app.run;

import org.jspecify.annotations.NullMarked;
