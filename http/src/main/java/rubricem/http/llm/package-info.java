/**
 * Clients of language models over HTTP. What reads and writes the wire is pure and stands apart
 * from the shell that holds connections; failures are typed values and no key is ever in a text.
 */
@NullMarked
package rubricem.http.llm;

import org.jspecify.annotations.NullMarked;
