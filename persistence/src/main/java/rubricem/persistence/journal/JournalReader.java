package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
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
  private static final String PREFIX = EpisodeCommand.KEY.name() + "|";

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
      throw new JournalUnusable("The journal cannot be read: " + e.getMessage(), e);
    }
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

  private static EpisodeEvent event(JournalFrames.Frame frame) {
    if (frame.serializer() != DurableSerializer.IDENTIFIER) {
      throw new JournalUnusable(
          "An event was stored by serializer " + frame.serializer() + ", which episodes do not"
              + " use: this journal was written by another program.");
    }
    return (EpisodeEvent) DurableFormat.read(frame.manifest(), frame.payload());
  }

  /** Stored episodes, newest first, beginning behind {@code before} where it is not blank. */
  public List<EpisodeId> episodes(String before, int limit) {
    try (Connection c = database.reader()) {
      return JournalRows.persistenceIds(
              c, PREFIX, before.isBlank() ? "" : PREFIX + before, limit)
          .stream()
          .map(pid -> new EpisodeId(pid.substring(PREFIX.length())))
          .toList();
    } catch (SQLException e) {
      throw new JournalUnusable("The journal cannot be read: " + e.getMessage(), e);
    }
  }
}
