package rubricem.app.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import rubricem.app.node.NodeSettings;
import rubricem.app.node.ResearchNode;
import rubricem.http.server.Readiness;
import rubricem.protocol.port.CorpusStatus;

/**
 * Reads the documents of a node that answers others, and decides whether it takes questions: one
 * that found nothing to read takes none, whichever way the questions come. Those who run the node
 * are told what could not be read.
 */
final class DocumentsOnOffer {
  private DocumentsOnOffer() {}

  /** Begins to read; empty where no folder is named, and then every question says so. */
  static Optional<CorpusPreparation> begin(
      Console console, NodeSettings settings, ResearchNode node, Readiness readiness,
      List<Path> roots) {
    node.storage().onChange(console::warn);
    if (roots.isEmpty()) {
      console.warn(OfferOptions.NOTHING_TO_SEARCH);
      readiness.ready();
      return Optional.empty();
    }
    readiness.notReady(OfferOptions.BEING_READ);
    return Optional.of(
        CorpusPreparation.start(console, settings, node.embedding().model(), roots));
  }

  /** Waits until all can be found by their words; vectors may come later. */
  static void decide(
      Console console, ResearchNode node, Readiness readiness, CorpusPreparation documents,
      List<Path> roots) {
    documents.awaitKeywords();
    CorpusStatus found = node.corpora().of(roots.stream().map(Path::toString).toList()).status();
    String unread = Unreadable.atStart(found.unreadable());
    if (!unread.isEmpty()) {
      console.say(unread);
    }
    if (found.documents() == 0) {
      readiness.refuse(OfferOptions.NOTHING_FOUND);
      console.warn(OfferOptions.NOTHING_FOUND);
    } else {
      readiness.ready();
    }
  }
}
