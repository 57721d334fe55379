package rubricem.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names that browsers send are taken, and others are told what to write instead. */
class NameSyntaxTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://lab.example", "http://localhost:3000", "http://[::1]:8080", "http://10.0.0.1",
        "https://lab.example:8443", "https://lab.example:80", "HTTPS://Lab.Example",
        "chrome-extension://abcdef", "app://obsidian.md", " https://lab.example "
      })
  void origins_as_browsers_send_them_are_taken(String origin) {
    assertEquals(Optional.empty(), NameSyntax.origin(origin));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|', quoteCharacter = '`',
      value = {
        "* | no entry for all", "null | is no origin", "`` | is no origin",
        "lab.example | is no origin", "https://*.lab.example | is no origin",
        "https:// | is no origin", "https://lab.example:x | is no origin",
        "https://müller.example | is no origin", "https://u@lab.example | is no origin",
        "https://lab.example/ | Write \"https://lab.example\"",
        "https://lab.example:8443/a/b?c | Write \"https://lab.example:8443\"",
        "https://lab.example:443/ | Write \"https://lab.example\"",
        "https://lab.example:443 | Write \"https://lab.example\"",
        "http://[::1]:80 | Write \"http://[::1]\"",
      })
  void other_origins_are_told_what_to_write(String origin, String said) {
    String problem = NameSyntax.origin(origin).orElse("");
    assertTrue(problem.contains(said), problem);
    assertTrue(problem.startsWith("\"" + origin + "\" "), problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lab.example", "lab", "10.0.0.1", "[::1]", "my_host-1.Example"})
  void hosts_are_names_alone(String host) {
    assertEquals(Optional.empty(), NameSyntax.host(host));
    for (String wrong : new String[] {"https://" + host, host + ":80", host + "/", "*." + host}) {
      assertTrue(NameSyntax.host(wrong).orElse("").contains("is no name of a host"), wrong);
    }
  }
}
