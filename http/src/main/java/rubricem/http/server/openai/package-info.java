/**
 * The episodes as an OpenAI client sees them: models, chat completions and responses. Everything a
 * stream sends is derived from the stored events, so that it can be sent again from any number.
 */
@NullMarked
package rubricem.http.server.openai;

import org.jspecify.annotations.NullMarked;
