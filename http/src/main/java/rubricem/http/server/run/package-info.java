@NullMarked
package rubricem.http.server.run;

import org.jspecify.annotations.NullMarked;
