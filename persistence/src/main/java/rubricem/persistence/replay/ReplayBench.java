package rubricem.persistence.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import rubricem.persistence.episode.EpisodeFold;
import rubricem.persistence.episode.EpisodeState;
import rubricem.persistence.journal.DatabaseSettings;
import rubricem.persistence.journal.JournalDatabase;
import rubricem.persistence.journal.JournalReader;
import rubricem.persistence.journal.JournalWriter;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * Measures how fast a whole journal is read and folded again: rows from the file, bytes to
 * events, events to states, all on the calling thread. Beside it the fold alone, so that one sees
 * which of them to look at.
 */
public final class ReplayBench {
  private static final int WRITES_IN_FLIGHT = 4_000;

  private ReplayBench() {}

  /**
   * @param turnChars characters of a turn, {@code resultChars} of a tool's result
   * @param rounds how often the journal is read; the median counts, the first warms up
   */
  public record Load(int episodes, int eventsEach, int turnChars, int resultChars, int rounds) {
    public static final Load USUAL = new Load(1_000, 50, 400, 2_000, 7);
  }

  /**
   * @param foldedPerSecond events a second from the file to their states
   * @param foldAlonePerSecond the same for events that are in memory
   */
  public record Figures(
      long events, double foldedPerSecond, double foldAlonePerSecond) {}

  /** @param folder an empty folder; the journal stays there */
  public static Figures run(Path folder, Load load) {
    String url = "jdbc:sqlite:" + folder.toAbsolutePath().resolve("journal.db").toUri();
    DatabaseSettings settings =
        new DatabaseSettings(url, "", "", 2, 2 * WRITES_IN_FLIGHT, 400);
    try (JournalDatabase database = JournalDatabase.open(settings)) {
      write(database, load);
    }
    // opened again, so that nothing is read from what the writing left in memory
    try (JournalDatabase database = JournalDatabase.open(settings)) {
      return measure(new JournalReader(database), load.rounds());
    }
  }

  /** Reads a journal that is there already. */
  public static Figures measure(JournalReader reader, int rounds) {
    List<EpisodeEvent> events = new ArrayList<>();
    reader.readAll((id, sequence, event) -> events.add(event));
    List<Double> folded = new ArrayList<>();
    List<Double> alone = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      folded.add(perSecond(events.size(), () -> check(fold(reader), events.size())));
      alone.add(perSecond(events.size(), () -> check(fold(events), events.size())));
    }
    return new Figures(events.size(), median(folded), median(alone));
  }

  private static double perSecond(long events, Runnable work) {
    long begin = System.nanoTime();
    work.run();
    return events * 1e9 / (System.nanoTime() - begin);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static void check(long folded, long expected) {
    if (folded != expected) {
      throw new IllegalStateException(folded + " of " + expected + " events were folded");
    }
  }

  private static long fold(JournalReader reader) {
    Folding folding = new Folding();
    reader.readAll((id, sequence, event) -> folding.add(id, event));
    return folding.events();
  }

  private static long fold(List<EpisodeEvent> events) {
    long folded = 0;
    EpisodeState state = EpisodeState.EMPTY;
    for (EpisodeEvent event : events) {
      if (event instanceof EpisodeEvent.EpisodeStarted) {
        folded += state.events();
        state = EpisodeState.EMPTY;
      }
      state = EpisodeFold.apply(state, event);
    }
    return folded + state.events();
  }

  /** States of episodes that come one after the other; keeps one at a time. */
  private static final class Folding {
    private EpisodeId current = new EpisodeId("");
    private EpisodeState state = EpisodeState.EMPTY;
    private long before;

    void add(EpisodeId id, EpisodeEvent event) {
      if (!id.equals(current)) {
        before += state.events();
        state = EpisodeState.EMPTY;
        current = id;
      }
      state = EpisodeFold.apply(state, event);
    }

    long events() {
      return before + state.events();
    }
  }

  private static void write(JournalDatabase database, Load load) {
    try (JournalWriter writer = new JournalWriter(database)) {
      List<CompletableFuture<Void>> stored = new ArrayList<>();
      for (int n = 0; n < load.episodes(); n++) {
        List<List<EpisodeEvent>> writes =
            SampleEpisode.writes(n, load.eventsEach(), load.turnChars(), load.resultChars());
        EpisodeId id = ((EpisodeEvent.EpisodeStarted) writes.getFirst().getFirst()).id();
        long sequence = 1;
        for (List<EpisodeEvent> events : writes) {
          stored.add(writer.store(id, sequence, events).toCompletableFuture());
          sequence += events.size();
        }
        if (stored.size() > WRITES_IN_FLIGHT) {
          stored.forEach(CompletableFuture::join);
          stored.clear();
        }
      }
      stored.forEach(CompletableFuture::join);
    }
  }
}
