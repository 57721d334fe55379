package rubricem.persistence.journal;

import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import rubricem.persistence.serialization.DurableFormat;
import rubricem.persistence.serialization.DurableSerializer;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeCommand;
import rubricem.protocol.episode.EpisodeEvent;

/**
 * Reads stored episodes straight from the database: no actor system, no cluster, and while a node
 * is running on the same journal.
 */
public final class JournalReader {
  static final String PREFIX = EpisodeCommand.KEY.name() + "|";

  /** Episodes of one statement: bounds what the database sorts, and costs nothing at this size. */
  private static final int ENTITIES_AT_ONCE = 500;

  private final JournalDatabase database;

  public JournalReader(JournalDatabase database) {
    this.database = database;
  }

  /** Takes one stored event; says whether to go on. */
  public interface EventReader {
    boolean read(long sequence, EpisodeEvent event);
  }

  public static String persistenceId(EpisodeId id) {
    return PREFIX + id.value();
  }

  /** Every event of {@code id} after {@code after}, in order; says whether the episode exists. */
  public boolean read(EpisodeId id, long after, EventReader reader) {
    try (Connection c = database.reader()) {
      OptionalLong entity = JournalRows.entity(c, persistenceId(id));
      if (entity.isEmpty()) {
        return false;
      }
      JournalRows.read(
          c, entity.getAsLong(), after + 1, Long.MAX_VALUE, row -> row(row, after, reader));
      return true;
    } catch (SQLException e) {
      throw database.trouble(e);
    }
  }

  /** Takes an event of one of many episodes; those of one episode come together and in order. */
  public interface EveryEventReader {
    void read(EpisodeId id, long sequence, EpisodeEvent event);
  }

  /** Every event of every episode in few statements: for what looks at a whole journal. */
  public void readAll(EveryEventReader reader) {
    try (Connection c = database.reader()) {
      List<JournalRows.Entity> entities = JournalRows.entities(c, PREFIX);
      for (int from = 0; from < entities.size(); from += ENTITIES_AT_ONCE) {
        int to = Math.min(from + ENTITIES_AT_ONCE, entities.size());
        readAll(c, entities.subList(from, to), reader);
      }
    } catch (SQLException e) {
      throw database.trouble(e);
    }
  }

  private static void readAll(
      Connection c, List<JournalRows.Entity> entities, EveryEventReader reader)
      throws SQLException {
    Map<Long, EpisodeId> ids = new HashMap<>();
    entities.forEach(e -> ids.put(e.no(), id(e.persistenceId())));
    JournalRows.readRange(
        c, entities.getFirst().no(), entities.getLast().no(),
        (entity, row) -> {
          EpisodeId id = ids.get(entity);
          if (id != null) {
            row(row, 0, (sequence, event) -> {
              reader.read(id, sequence, event);
              return true;
            });
          }
        });
  }

  private static EpisodeId id(String persistenceId) {
    return new EpisodeId(persistenceId.substring(PREFIX.length()));
  }

  private static boolean row(JournalRows.Row row, long after, EventReader reader) {
    long sequence = row.seq();
    for (JournalFrames.Frame frame : row.frames()) {
      if (sequence > after && !reader.read(sequence, event(frame))) {
        return false;
      }
      sequence++;
    }
    return true;
  }

  static EpisodeEvent event(JournalFrames.Frame frame) {
    if (frame.serializer() != DurableSerializer.IDENTIFIER) {
      throw new JournalUnusable(
          "An event was stored by serializer " + frame.serializer() + ", which episodes do not"
              + " use: this journal was written by another program.");
    }
    try {
      return (EpisodeEvent) DurableFormat.read(frame.manifest(), frame.payload());
    } catch (UncheckedIOException e) {
      throw new JournalUnusable(
          "An event of kind " + frame.manifest() + " cannot be read: the journal is damaged.", e);
    }
  }

  /** Stored episodes, newest first, beginning behind {@code before} where it is not blank. */
  public List<EpisodeId> episodes(String before, int limit) {
    try (Connection c = database.reader()) {
      return JournalRows.persistenceIds(
              c, PREFIX, before.isBlank() ? "" : PREFIX + before, limit)
          .stream()
          .map(JournalReader::id)
          .toList();
    } catch (SQLException e) {
      throw database.trouble(e);
    }
  }

  /** Stored episodes whose id begins with {@code beginning}, newest first. */
  public List<EpisodeId> beginningWith(String beginning, int limit) {
    try (Connection c = database.reader()) {
      return JournalRows.persistenceIds(c, PREFIX + beginning, "", limit).stream()
          .map(JournalReader::id)
          .toList();
    } catch (SQLException e) {
      throw database.trouble(e);
    }
  }
}
