package rubricem.gpu.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryKeepingTest {
  private static final Map<String, String> ALL =
      Map.of(
          "MALLOC_ARENA_MAX", "1", "MALLOC_MMAP_MAX_", "0", "MALLOC_TRIM_THRESHOLD_", "-1",
          "MALLOC_TOP_PAD_", "268435456");

  @Test
  void says_what_is_missing_and_only_that() {
    assertEquals(Optional.empty(), MemoryKeeping.missing(ALL, true));
    Map<String, String> some = new HashMap<>(ALL);
    some.remove("MALLOC_MMAP_MAX_");
    some.put("MALLOC_ARENA_MAX", "4");
    String said = MemoryKeeping.missing(some, true).orElseThrow();
    assertTrue(said.contains("with  MALLOC_MMAP_MAX_=0  in"), said);
    assertTrue(said.contains("./rubricem"), said);
  }

  @Test
  void another_c_library_has_no_such_settings() {
    assertEquals(Optional.empty(), MemoryKeeping.missing(Map.of(), false));
  }
}
