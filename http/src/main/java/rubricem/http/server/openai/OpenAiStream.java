package rubricem.http.server.openai;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.http.javadsl.model.HttpEntities;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import rubricem.http.server.Answers;
import rubricem.http.server.Edge;
import rubricem.http.server.research.EpisodeLookup;
import rubricem.http.server.research.EventFeed;
import rubricem.protocol.EpisodeId;
import rubricem.protocol.episode.EpisodeProgress.EventStored;
import rubricem.protocol.episode.EpisodeView;

/**
 * A stream as OpenAI's libraries read it: no ids, no retry times, and comments as raw bytes for a
 * heartbeat, at any other form of which those libraries fail. It is pulled from the event log at
 * the reader's own pace. A reader who goes does not end the episode unless the request says so.
 */
final class OpenAiStream {
  private static final ByteString HEARTBEAT = ByteString.fromString(": ping\n\n");

  private final Edge edge;
  private final EpisodeLookup lookup;

  OpenAiStream(Edge edge) {
    this.edge = edge;
    this.lookup = new EpisodeLookup(edge);
  }

  private final class Reader {
    private final EpisodeView view;
    private final StreamFold fold;
    private final EventFeed feed;
    private boolean begun;
    private volatile boolean done;

    Reader(EpisodeView view, StreamFold fold) {
      this.view = view;
      this.fold = fold;
      this.feed = new EventFeed(edge, view.id(), 0, false, false);
      feed.open();
    }

    CompletionStage<Optional<String>> next() {
      if (!begun) {
        begun = true;
        return CompletableFuture.completedStage(Optional.of(fold.begin(view)));
      }
      return done
          ? CompletableFuture.completedStage(Optional.empty())
          : feed.next().thenCompose(this::frames);
    }

    private CompletionStage<Optional<String>> frames(Optional<EventFeed.Batch> batch) {
      if (batch.isEmpty()) {
        done = true;
        return lookup.stored(view.id()).thenApply(ended -> Optional.of(fold.end(ended)));
      }
      return CompletableFuture.completedStage(
          Optional.of(
              switch (batch.get()) {
                case EventFeed.Batch.Events events -> {
                  StringBuilder frames = new StringBuilder();
                  for (EventStored stored : events.events()) {
                    frames.append(fold.on(stored.event()));
                  }
                  yield frames.toString();
                }
                case EventFeed.Batch.Shown shown -> "";
                case EventFeed.Batch.ServerStops stops -> {
                  done = true;
                  yield fold.serverStops();
                }
              }));
    }
  }

  /** @param cancels whether the episode ends with its reader */
  HttpResponse answer(EpisodeView view, StreamFold fold, boolean cancels) {
    Source<ByteString, ?> frames =
        source(view, fold, cancels)
            // an event that says nothing here writes nothing, and must not pass for a sign of life
            .filter(ByteString::nonEmpty)
            .keepAlive(edge.settings().heartbeat(), () -> HEARTBEAT);
    return Answers.with(
        HttpResponse.create()
            .withEntity(
                HttpEntities.createChunked(
                    MediaTypes.TEXT_EVENT_STREAM.toContentType(), frames)),
        Map.of(
            "Cache-Control", "no-store", "X-Accel-Buffering", "no",
            "X-Content-Type-Options", "nosniff", OpenAiDoor.EPISODE, view.id().value()));
  }

  /** Its end is watched from before its beginning: a reader may go as soon as it has come. */
  private Source<ByteString, ?> source(EpisodeView view, StreamFold fold, boolean cancels) {
    AtomicReference<Reader> opened = new AtomicReference<>();
    return Source.lazySource(
            () -> {
              opened.set(new Reader(view, fold));
              return Source.unfoldAsync(opened.get(), OpenAiStream::step);
            })
        .watchTermination(
            (mat, end) -> {
              end.whenComplete((d, failure) -> closed(view, opened.get(), cancels));
              return mat;
            });
  }

  private static CompletionStage<Optional<Pair<Reader, ByteString>>> step(Reader reader) {
    return reader.next()
        .thenApply(text -> text.map(t -> Pair.create(reader, ByteString.fromString(t))));
  }

  private void closed(EpisodeView view, @Nullable Reader reader, boolean cancels) {
    // asked before the feed is closed, which looks like an end to whoever waits for it
    boolean ended = reader != null && reader.done;
    if (reader != null) {
      reader.feed.close();
    }
    if (cancels && !ended) {
      edge.ports().episodes().cancel(view.id());
    }
  }

  static EpisodeId id(String text, String prefix) {
    return EpisodeLookup.id(text.startsWith(prefix) ? text.substring(prefix.length()) : "");
  }
}
