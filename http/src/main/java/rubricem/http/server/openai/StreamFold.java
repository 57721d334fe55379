package rubricem.http.server.openai;

import rubricem.protocol.episode.EpisodeEvent;
import rubricem.protocol.episode.EpisodeView;

/** Turns an episode into the frames of a stream, event by event; holds one reader's place. */
interface StreamFold {
  /** Before the first event. */
  String begin(EpisodeView view);

  String on(EpisodeEvent event);

  /** When the episode has ended; the reader needs no word after it. */
  String end(EpisodeView view);

  /** When the server stops before that. */
  String serverStops();
}
