@NullMarked
package rubricem.http.report;

import org.jspecify.annotations.NullMarked;
