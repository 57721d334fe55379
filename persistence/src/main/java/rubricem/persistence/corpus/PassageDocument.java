package rubricem.persistence.corpus;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import rubricem.protocol.evidence.Passage;
import rubricem.protocol.evidence.RowBars;

/**
 * A passage as it stands in the index. Everything it consists of is stored, so that it can be
 * written again with its vector once that is there.
 *
 * @param path of its file, absolute
 * @param section the headings above it, joined; may be empty
 * @param anchor what a link to it ends with, behind a {@code #}; may be empty
 */
record PassageDocument(
    String path, String title, String section, String place, String anchor, int ordinal, int from,
    int to, String text, String content) {
  static PassageDocument of(Document stored) {
    return new PassageDocument(
        stored.get(Fields.PATH),
        stored.get(Fields.TITLE),
        stored.get(Fields.SECTION),
        stored.get(Fields.PLACE),
        Objects.requireNonNullElse(stored.get(Fields.ANCHOR), ""),
        number(stored, Fields.ORDINAL),
        number(stored, Fields.FROM),
        number(stored, Fields.TO),
        stored.get(Fields.TEXT),
        stored.get(Fields.CONTENT));
  }

  private static int number(Document stored, String field) {
    return stored.getField(field).numericValue().intValue();
  }

  /** What its vector is of: the text under its headings, without the bars between cells. */
  String embedded() {
    return embedded(title, section, text);
  }

  static String embedded(String title, String section, String text) {
    return (section.isEmpty() ? title : section) + "\n" + RowBars.blanked(text);
  }

  String id() {
    return path + "#" + ordinal;
  }

  /** Sorts by path, then as read; nothing in it depends on how the index came about. */
  private String order() {
    return String.format(java.util.Locale.ROOT, "%s\0%010d", path, ordinal);
  }

  /** As a search gives it out. */
  Passage found(DocumentNames names, double score) {
    String called = section.isEmpty() ? title : title + " › " + section;
    return new Passage(
        names.nameOf(path), called, url(),
        place.isEmpty() ? section : place, from, to, text, score, Optional.empty());
  }

  private String url() {
    String file = Path.of(path).toUri().toString();
    return anchor.isEmpty() ? file : file + "#" + anchor;
  }

  /** @param vector of the model, where there is one */
  Document toIndex(String model, float @Nullable [] vector) {
    Document document = new Document();
    document.add(new StringField(Fields.KIND, Fields.PASSAGE, Store.NO));
    document.add(new StringField(Fields.PATH, path, Store.YES));
    under(document, path);
    document.add(new StringField(Fields.PASSAGE_ID, id(), Store.NO));
    document.add(new SortedDocValuesField(Fields.ORDER, new BytesRef(order())));
    document.add(new StringField(Fields.CONTENT, content, Store.YES));
    document.add(new TextField(Fields.TITLE, title, Store.YES));
    document.add(new TextField(Fields.SECTION, section, Store.YES));
    document.add(new StoredField(Fields.PLACE, place));
    document.add(new StoredField(Fields.ANCHOR, anchor));
    document.add(new StoredField(Fields.ORDINAL, ordinal));
    document.add(new NumericDocValuesField(Fields.ORDINAL, ordinal));
    document.add(new StoredField(Fields.FROM, from));
    document.add(new NumericDocValuesField(Fields.FROM, from));
    document.add(new StoredField(Fields.TO, to));
    document.add(new TextField(Fields.TEXT, text, Store.YES));
    document.add(new TextField(Fields.EXACT, text, Store.NO));
    if (vector != null) {
      document.add(new StringField(Fields.MODEL, model, Store.NO));
      document.add(new StringField(Fields.MODEL, Fields.ANY_MODEL, Store.NO));
      document.add(
          new KnnFloatVectorField(
              Fields.vector(model), vector, VectorSimilarityFunction.DOT_PRODUCT));
    }
    return document;
  }

  static void under(Document document, String path) {
    for (Path p = Path.of(path); p != null; p = p.getParent()) {
      document.add(new StringField(Fields.UNDER, p.toString(), Store.NO));
    }
  }

  /** Joins a section path for people; what only repeats the title is left out. */
  static String join(List<String> section, String title) {
    List<String> path =
        !section.isEmpty() && section.getFirst().equals(title)
            ? section.subList(1, section.size())
            : section;
    return String.join(" › ", path);
  }
}
