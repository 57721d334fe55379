@NullMarked
package rubricem.http.server.metrics;

import org.jspecify.annotations.NullMarked;
