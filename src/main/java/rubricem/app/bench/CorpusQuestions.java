package rubricem.app.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;

/**
 * Questions on documents that nobody knows: each takes a few words of a passage, and no two are
 * equal. The same documents give the same questions. They are no measure of how well something is
 * found.
 */
final class CorpusQuestions {
  /** Enough to be about something, few enough that a passage has many questions. */
  private static final int WORDS = 6;

  private static final int PASSAGES_MAX = 200;

  private final List<List<String>> texts = new ArrayList<>();

  private CorpusQuestions() {}

  /** @param corpus with its vectors, so that any query finds passages */
  static CorpusQuestions of(Corpus corpus) throws IOException {
    CorpusQuestions questions = new CorpusQuestions();
    var hits =
        corpus.search(new Corpus.Query("what is this about", PASSAGES_MAX, ""))
            .toCompletableFuture().join();
    for (Passage passage : hits.passages()) {
      List<String> words = List.of(passage.text().strip().split("\\W+"));
      if (words.size() > WORDS) {
        questions.texts.add(words);
      }
    }
    if (questions.texts.isEmpty()) {
      throw new IOException("no passage was found that has " + WORDS + " words");
    }
    return questions;
  }

  String get(int number) {
    List<String> words = texts.get(number % texts.size());
    int at = number / texts.size() * WORDS % (words.size() - WORDS);
    return "What is known about " + String.join(" ", words.subList(at, at + WORDS)) + ", number "
        + number + "?";
  }
}
