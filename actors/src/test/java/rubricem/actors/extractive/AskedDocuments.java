package rubricem.actors.extractive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import rubricem.eval.retrieval.QuestionRun;
import rubricem.gpu.embed.MiniLm;
import rubricem.persistence.corpus.CorpusIndexing;
import rubricem.persistence.corpus.CorpusSettings;
import rubricem.persistence.corpus.IndexingWatcher;
import rubricem.persistence.corpus.LuceneCorpus;
import rubricem.protocol.port.Embedder;
import rubricem.protocol.scaffold.FormatLabel;

/** A few documents, indexed with the real model, and the policy that is asked about them. */
final class AskedDocuments implements AutoCloseable {
  private static final int CALLS_MAX = 10;

  private final MiniLm model = MiniLm.open();
  private final LuceneCorpus corpus;
  private final ExtractivePolicy policy;

  /** @param files text by name */
  AskedDocuments(Path folder, Map<String, String> files) throws IOException, InterruptedException {
    Path documents = Files.createDirectory(folder.resolve("documents"));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(documents.resolve(file.getKey()), file.getValue());
    }
    CompletionStage<Embedder> embedder = CompletableFuture.completedFuture(model);
    CorpusSettings settings = CorpusSettings.defaults();
    Path index = folder.resolve("index");
    new CorpusIndexing(index, settings, embedder).run(List.of(documents), IndexingWatcher.NONE);
    corpus = LuceneCorpus.open(index, List.of(documents), settings, embedder);
    policy = new ExtractivePolicy(ExtractiveSettings.defaults(), embedder, Runnable::run);
  }

  QuestionRun.Result ask(String question, FormatLabel format) {
    return QuestionRun.of(policy, corpus, question, format, CALLS_MAX);
  }

  @Override
  public void close() throws IOException {
    corpus.close();
    model.close();
  }
}
