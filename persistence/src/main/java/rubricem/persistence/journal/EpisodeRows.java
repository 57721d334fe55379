package rubricem.persistence.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeOutcome;
import rubricem.protocol.episode.EpisodeStatus;
import rubricem.protocol.episode.EpisodeIndex;

/**
 * The table that lists are made from. It is a function of the journal: a change is written in the
 * commit of the events that bring it, and {@link EpisodeRowsRebuild} makes the whole table again.
 */
final class EpisodeRows {
  /**
   * Characters of a question that a list shows and that are searched; the rest is in the journal.
   */
  private static final int QUESTION_CHARS_MAX = 2_000;

  private EpisodeRows() {}

  sealed interface Change {}

  record Began(String id, String question, Instant at) implements Change {}

  record Ended(String id, EpisodeStatus status, Optional<EpisodeOutcome> outcome, Instant at)
      implements Change {}

  record WentOn(String id) implements Change {}

  /** What {@code payload}, an event of {@code persistenceId}, changes in a list. */
  static Optional<Change> change(String persistenceId, Object payload) {
    if (!(payload instanceof EpisodeEvent event)
        || !persistenceId.startsWith(JournalReader.PREFIX)) {
      return Optional.empty();
    }
    String id = persistenceId.substring(JournalReader.PREFIX.length());
    return switch (event) {
      case EpisodeEvent.EpisodeStarted e ->
          Optional.of(new Began(id, e.request().question(), e.at()));
      case EpisodeEvent.EpisodeCompleted e ->
          Optional.of(
              new Ended(id, EpisodeStatus.COMPLETED, Optional.of(e.outcome()), e.at()));
      case EpisodeEvent.EpisodeFailed e ->
          Optional.of(new Ended(id, EpisodeStatus.FAILED, Optional.empty(), e.at()));
      case EpisodeEvent.EpisodeCancelled e ->
          Optional.of(new Ended(id, EpisodeStatus.CANCELLED, Optional.empty(), e.at()));
      case EpisodeEvent.EpisodeResumed e -> Optional.of(new WentOn(id));
      case EpisodeEvent.PolicyCallRequested e -> Optional.empty();
      case EpisodeEvent.PolicyTurnGenerated e -> Optional.empty();
      case EpisodeEvent.PolicyCallFailed e -> Optional.empty();
      case EpisodeEvent.TurnRejected e -> Optional.empty();
      case EpisodeEvent.ViolationsTolerated e -> Optional.empty();
      case EpisodeEvent.ToolCallRequested e -> Optional.empty();
      case EpisodeEvent.ToolCallCompleted e -> Optional.empty();
      case EpisodeEvent.ToolCallRefused e -> Optional.empty();
      case EpisodeEvent.ToolCallFailed e -> Optional.empty();
      case EpisodeEvent.ToolCallServed e -> Optional.empty();
      case EpisodeEvent.CallRetried e -> Optional.empty();
      case EpisodeEvent.CallRepeated e -> Optional.empty();
      case EpisodeEvent.FinishBegun e -> Optional.empty();
      case EpisodeEvent.CitationCheckRequested e -> Optional.empty();
      case EpisodeEvent.CitationsChecked e -> Optional.empty();
    };
  }

  /** Can be done twice. */
  static void apply(Connection c, Change change) throws SQLException {
    switch (change) {
      case Began b -> begin(c, b);
      case Ended e ->
          update(
              c, e.id(), e.status(), e.outcome().map(EpisodeOutcome::label),
              Optional.of(e.at().toEpochMilli()));
      case WentOn w ->
          update(c, w.id(), EpisodeStatus.RUNNING, Optional.empty(), Optional.empty());
    }
  }

  private static void begin(Connection c, Began b) throws SQLException {
    try (PreparedStatement insert =
        c.prepareStatement(
            "INSERT INTO episode (id, status, question, searched, created_at)"
                + " VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING")) {
      String question = shown(b.question());
      insert.setString(1, b.id());
      insert.setString(2, EpisodeStatus.RUNNING.label());
      insert.setString(3, question);
      insert.setString(4, question.toLowerCase(Locale.ROOT));
      insert.setLong(5, b.at().toEpochMilli());
      insert.executeUpdate();
    }
  }

  /** Cut between characters; a database stores neither half of one nor NUL. */
  private static String shown(String question) {
    int end = Math.min(question.length(), QUESTION_CHARS_MAX);
    if (end < question.length() && Character.isHighSurrogate(question.charAt(end - 1))) {
      end--;
    }
    return question.substring(0, end).replace('\0', ' ');
  }

  private static void update(
      Connection c, String id, EpisodeStatus status, Optional<String> outcome,
      Optional<Long> endedAt)
      throws SQLException {
    try (PreparedStatement update =
        c.prepareStatement(
            "UPDATE episode SET status = ?, outcome = ?, ended_at = ? WHERE id = ?")) {
      update.setString(1, status.label());
      update.setString(2, outcome.orElse(null));
      if (endedAt.isPresent()) {
        update.setLong(3, endedAt.get());
      } else {
        update.setNull(3, java.sql.Types.BIGINT);
      }
      update.setString(4, id);
      update.executeUpdate();
    }
  }

  /** One page and the cursor of the next. */
  static EpisodeIndex.Page page(Connection c, EpisodeIndex.Query query) throws SQLException {
    StringBuilder sql =
        new StringBuilder(
            "SELECT id, status, outcome, question, created_at, ended_at FROM episode WHERE 1 = 1");
    List<String> values = new ArrayList<>();
    query.before().ifPresent(id -> condition(sql, values, " AND id < ?", id.value()));
    query.status().ifPresent(s -> condition(sql, values, " AND status = ?", s.label()));
    if (!query.text().isBlank()) {
      condition(sql, values, " AND searched LIKE ? ESCAPE '!'", pattern(query.text()));
    }
    sql.append(" ORDER BY id DESC LIMIT ?");
    try (PreparedStatement select = c.prepareStatement(sql.toString())) {
      for (int i = 0; i < values.size(); i++) {
        select.setString(i + 1, values.get(i));
      }
      select.setInt(values.size() + 1, query.limit() + 1);
      try (ResultSet rows = select.executeQuery()) {
        List<EpisodeIndex.Entry> entries = new ArrayList<>();
        while (rows.next()) {
          entries.add(entry(rows));
        }
        return page(entries, query.limit());
      }
    }
  }

  private static EpisodeIndex.Page page(List<EpisodeIndex.Entry> found, int limit) {
    return found.size() <= limit
        ? new EpisodeIndex.Page(List.copyOf(found), Optional.empty())
        : new EpisodeIndex.Page(
            List.copyOf(found.subList(0, limit)), Optional.of(found.get(limit - 1).id()));
  }

  private static void condition(
      StringBuilder sql, List<String> values, String condition, String value) {
    sql.append(condition);
    values.add(value);
  }

  private static String pattern(String text) {
    return "%"
        + text.strip().replace('\0', ' ').toLowerCase(Locale.ROOT).replaceAll("[!%_]", "!$0")
        + "%";
  }

  private static EpisodeIndex.Entry entry(ResultSet row) throws SQLException {
    long ended = row.getLong(6);
    boolean running = row.wasNull();
    return new EpisodeIndex.Entry(
        new EpisodeId(row.getString(1)),
        EpisodeStatus.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
        Optional.ofNullable(row.getString(3))
            .map(o -> EpisodeOutcome.valueOf(o.toUpperCase(Locale.ROOT))),
        row.getString(4),
        Instant.ofEpochMilli(row.getLong(5)),
        running ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ended)));
  }
}
