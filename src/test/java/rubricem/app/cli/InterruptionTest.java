package rubricem.app.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A hint that is typed again must mean the same folder. */
class InterruptionTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\0',
      value = {
        "./data,", "/var/data, --data-dir /var/data", "my data, --data-dir 'my data'",
        "it's, --data-dir 'it'\\''s'", "$(x), --data-dir '$(x)'"
      })
  void a_folder_that_is_not_the_default_is_named_for_a_shell(String folder, String option) {
    assertEquals(
        option == null ? "" : " " + option,
        Interruption.sameFolder(
            ConfigFactory.empty()
                .withValue("rubricem.data-dir", ConfigValueFactory.fromAnyRef(folder))));
  }
}
