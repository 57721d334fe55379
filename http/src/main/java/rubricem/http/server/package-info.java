/**
 * What every front door stands on: the listening server, the table of routes, problems, admission
 * and the starting of episodes. A door is a {@link rubricem.http.server.FrontDoor}.
 */
@NullMarked
package rubricem.http.server;

import org.jspecify.annotations.NullMarked;
