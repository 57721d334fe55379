/**
 * Stand-ins for outside services: a product for people who develop against us, and the rig of our
 * own tests. They listen on loopback only and know nothing of the clients they serve.
 */
@NullMarked
package rubricem.http.fake;

import org.jspecify.annotations.NullMarked;
