package rubricem.persistence.corpus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import rubricem.persistence.corpus.CorpusScan.Found;

/** Turns what was read of a file into the entries of the index that stand for it. */
record DocumentBlock(Found found, String hash, int passageWords, VectorMemory memory) {

  List<Document> of(Reading reading) throws IOException {
    return switch (reading) {
      case Reading.Text text -> readable(text);
      case Reading.Unreadable no ->
          List.of(file(Fields.UNREADABLE, "", Optional.of(no), List.of(), ""));
      case Reading.Asset asset ->
          List.of(file(Fields.ASSET, "", Optional.empty(), List.of(), ""));
    };
  }

  private List<Document> readable(Reading.Text reading) throws IOException {
    Cut cut = PassageCut.of(reading.blocks(), passageWords);
    List<Document> documents = new ArrayList<>();
    documents.add(
        file(
            Fields.READABLE, reading.title(), Optional.empty(), reading.notes(), cut.text()));
    int ordinal = 0;
    for (Cut.Piece piece : cut.pieces()) {
      String section = PassageDocument.join(piece.section(), reading.title());
      String text = cut.text().substring(piece.from(), piece.to());
      String embedded = PassageDocument.embedded(reading.title(), section, text);
      String content = CorpusIndexing.sha256(embedded.getBytes(StandardCharsets.UTF_8));
      PassageDocument passage =
          new PassageDocument(
              found.path().toString(), reading.title(), section, piece.place(),
              piece.anchor(), ordinal++, piece.from(), piece.to(), text, content);
      documents.add(memory.restore(passage));
    }
    return documents;
  }

  private Document file(
      String state, String title, Optional<Reading.Unreadable> reason, List<String> notes,
      String extract) {
    return new FileDocument(
            found.path().toString(), found.size(), found.modified(), hash, state, title, reason,
            notes, extract)
        .toIndex();
  }
}
