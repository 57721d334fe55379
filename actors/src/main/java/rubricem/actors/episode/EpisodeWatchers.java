package rubricem.actors.episode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import rubricem.protocol.episode.EpisodeProgress;
import rubricem.protocol.episode.EpisodeProgress.EventStored;

/**
 * Those who watch an episode. Each is told every event once, in order: first what is stored, read
 * in pages, then what is new; what happens while its history is being read is read too.
 */
final class EpisodeWatchers {
  private final Map<ActorRef<EpisodeProgress>, Long> told = new LinkedHashMap<>();
  private final Map<ActorRef<EpisodeProgress>, Boolean> live = new LinkedHashMap<>();

  /** @return whether there is history to read first */
  boolean add(ActorRef<EpisodeProgress> watcher, long after, long stored) {
    told.put(watcher, after);
    live.put(watcher, after >= stored);
    return after < stored;
  }

  void remove(ActorRef<EpisodeProgress> watcher) {
    told.remove(watcher);
    live.remove(watcher);
  }

  boolean any() {
    return !told.isEmpty();
  }

  long told(ActorRef<EpisodeProgress> watcher) {
    return told.getOrDefault(watcher, 0L);
  }

  boolean allLive() {
    return !live.containsValue(false);
  }

  /** @return whether more is stored than {@code watcher} has been told */
  boolean history(ActorRef<EpisodeProgress> watcher, List<EventStored> events, long stored) {
    if (!told.containsKey(watcher)) {
      return false;
    }
    events.forEach(e -> tell(watcher, e));
    boolean behind = told.get(watcher) < stored;
    live.put(watcher, !behind);
    return behind;
  }

  /** Those who have not been told all of {@code stored}: they must read it. */
  List<ActorRef<EpisodeProgress>> behind(long stored) {
    List<ActorRef<EpisodeProgress>> behind =
        told.keySet().stream().filter(watcher -> told.get(watcher) < stored).toList();
    behind.forEach(watcher -> live.put(watcher, false));
    return behind;
  }

  void stored(List<EventStored> events) {
    told.keySet().forEach(
        watcher -> {
          if (live.get(watcher)) {
            events.forEach(e -> tell(watcher, e));
          }
        });
  }

  private void tell(ActorRef<EpisodeProgress> watcher, EventStored event) {
    if (event.sequence() > told.get(watcher)) {
      watcher.tell(event);
      told.put(watcher, event.sequence());
    }
  }

  /** Tells everybody the last word and forgets them. */
  void end(EpisodeProgress lastWord) {
    progress(lastWord);
    told.clear();
    live.clear();
  }

  void progress(EpisodeProgress progress) {
    told.keySet().forEach(watcher -> watcher.tell(progress));
  }
}
