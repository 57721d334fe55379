package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.port.Corpus;
import rubricem.protocol.port.Embedder;

/** A folder of documents with its index, for tests. */
record Shelf(Path documents, Path index, CorpusSettings settings, CompletionStage<Embedder> model) {

  static Shelf in(Path folder) throws IOException {
    Path documents = Files.createDirectories(folder.resolve("documents"));
    return new Shelf(
        documents, folder.resolve("index"), CorpusSettings.defaults(), WordVectors.ready());
  }

  Shelf with(CorpusSettings other) {
    return new Shelf(documents, index, other, model);
  }

  Shelf with(CompletionStage<Embedder> other) {
    return new Shelf(documents, index, settings, other);
  }

  Path put(String name, String text) throws IOException {
    Path file = documents.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  Path put(String name, byte[] bytes) throws IOException {
    Path file = documents.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  CorpusIndexing indexing() {
    return new CorpusIndexing(index, settings, model);
  }

  IndexingOutcome run() throws IOException, InterruptedException {
    return indexing().run(List.of(documents), IndexingWatcher.NONE);
  }

  LuceneCorpus open() throws IOException {
    return LuceneCorpus.open(index, List.of(documents), settings, model);
  }

  List<Passage> find(String words) throws IOException {
    return hits(words).passages();
  }

  Corpus.Hits hits(String words) throws IOException {
    try (LuceneCorpus corpus = open()) {
      return corpus.search(new Corpus.Query(words, 8, "")).toCompletableFuture().join();
    }
  }

  /** Documents that hold the words, best first, each once. */
  List<String> documentsWith(String words) throws IOException {
    return find(words).stream().map(Passage::document).distinct().toList();
  }

  static CorpusSettings bounds(int filesMax, long bytesMax, int charsMax, Duration timeout) {
    CorpusSettings d = CorpusSettings.defaults();
    return new CorpusSettings(
        filesMax, bytesMax, charsMax, timeout, d.passageWords(), d.commitEvery(), d.embedBatch(),
        d.candidates(), d.queryWait(), d.indexBufferMb());
  }
}
