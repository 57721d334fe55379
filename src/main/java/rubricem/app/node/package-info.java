@NullMarked
package rubricem.app.node;

import org.jspecify.annotations.NullMarked;
