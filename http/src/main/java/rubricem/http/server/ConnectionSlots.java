package rubricem.http.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import rubricem.http.server.metrics.Metrics;

/**
 * Who has a place among the open connections. Never more than the settings allow have one; where
 * all are taken, the connection that has asked for nothing for longest makes room, so that whoever
 * holds connections open keeps nobody out who asks. Streams never make room, so only a part of the
 * places may have one: they keep nobody out either who asks for anything else. It knows no
 * addresses: behind a proxy, and on this machine, everybody has the same one. Closing is the
 * business of {@link ConnectionGate}.
 */
final class ConnectionSlots {
  /** Let in beyond the bound for health and metrics only: probes, scrapers and their retries. */
  static final int RESERVE = 64;

  /** A browser opens one spare connection for a page: single ones are no news. */
  private static final int CUTS_WORTH_WORDS = 32;

  private static final Duration BETWEEN_WORDS = Duration.ofMinutes(1);
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionSlots.class);

  /** Why a connection was closed before its client wanted that. */
  enum Cut {
    SLOW_HEAD("sent no request in time"),
    IDLE("asked nothing more after an answer"),
    ROOM("asked nothing and made room for others"),
    FULL("were refused because all connections were being answered"),
    STREAMS("were refused an event stream because too many were open");

    private final String words;

    Cut(String words) {
      this.words = words;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One open connection. */
  static final class Slot {
    private final Runnable close;
    private boolean placed;
    private boolean streams;
    private boolean gone;

    /** @param close called at most once, from any thread, when it has to make room */
    Slot(Runnable close) {
      this.close = close;
    }
  }

  private final int max;
  private final int streamsMax;
  private final Metrics metrics;
  private final InstantSource clock;
  private final Set<Slot> waiting = new LinkedHashSet<>();
  private final Set<Slot> reserve = new LinkedHashSet<>();
  private final Map<Cut, Integer> untold = new EnumMap<>(Cut.class);
  private int open;
  private int placed;
  private int streams;
  private Instant told = Instant.MIN;

  /** @param streamsMax places that may have a stream at once; the others are kept for the rest */
  ConnectionSlots(int max, int streamsMax, Metrics metrics, InstantSource clock) {
    this.max = max;
    this.streamsMax = streamsMax;
    this.metrics = metrics;
    this.clock = clock;
    metrics.gauge("rubricem_http_connections", "Open connections.", this::open);
  }

  synchronized int open() {
    return open;
  }

  /** A new connection, that has asked for nothing yet. */
  synchronized void enter(Slot slot) {
    open++;
    if (place(slot)) {
      waiting.add(slot);
    } else {
      reserve.add(slot);
      if (reserve.size() > RESERVE) {
        makeRoom(reserve);
      }
    }
  }

  /** It asks. Answers whether it has a place; without one it may ask for health alone. */
  synchronized boolean asks(Slot slot) {
    waiting.remove(slot);
    reserve.remove(slot);
    return slot.placed || place(slot);
  }

  /** Its answer would be a stream, which may go on for hours. Answers whether it may be. */
  synchronized boolean streams(Slot slot) {
    if (slot.gone || slot.streams) {
      // nobody reads it any more, so it takes no place; or it has one
      return true;
    }
    if (streams >= streamsMax) {
      return false;
    }
    slot.streams = true;
    streams++;
    return true;
  }

  private void streamEnds(Slot slot) {
    if (slot.streams) {
      slot.streams = false;
      streams--;
    }
  }

  /** It was answered and may ask again. */
  synchronized void waits(Slot slot) {
    streamEnds(slot);
    if (slot.placed) {
      waiting.add(slot);
    }
  }

  /** Whether it has no place; one that was told to close may have found one since. */
  synchronized boolean mustGo(Slot slot) {
    return !slot.placed;
  }

  synchronized void leave(Slot slot) {
    open--;
    slot.gone = true;
    streamEnds(slot);
    waiting.remove(slot);
    reserve.remove(slot);
    if (slot.placed) {
      slot.placed = false;
      placed--;
    }
  }

  private boolean place(Slot slot) {
    if (placed >= max && !makeRoom(waiting)) {
      return false;
    }
    slot.placed = true;
    placed++;
    return true;
  }

  private boolean makeRoom(Set<Slot> among) {
    if (among.isEmpty()) {
      return false;
    }
    Slot oldest = among.iterator().next();
    among.remove(oldest);
    if (oldest.placed) {
      oldest.placed = false;
      placed--;
    }
    oldest.close.run();
    return true;
  }

  /** Counts a connection that is closed, and says so where it is news, at most once a minute. */
  void cut(Cut why) {
    metrics.add(
        "rubricem_http_connections_cut_total",
        "Connections closed or refused by this server, by reason.", 1, "reason", why.label());
    if (why != Cut.IDLE) {
      news(why).ifPresent(LOG::warn);
    }
  }

  /** The line that is due with this one, if any. */
  synchronized Optional<String> news(Cut why) {
    untold.merge(why, 1, Integer::sum);
    Instant now = clock.instant();
    boolean worth =
        why != Cut.SLOW_HEAD || untold.getOrDefault(Cut.SLOW_HEAD, 0) >= CUTS_WORTH_WORDS;
    if (!worth || told.isAfter(now.minus(BETWEEN_WORDS))) {
      return Optional.empty();
    }
    told = now;
    String counts =
        untold.entrySet().stream().map(e -> e.getValue() + " " + e.getKey().words)
            .collect(Collectors.joining(", "));
    untold.clear();
    return Optional.of(
        "connections closed since the last such line: " + counts + "; " + max
            + " may be open (rubricem.server.connections-max)");
  }
}
