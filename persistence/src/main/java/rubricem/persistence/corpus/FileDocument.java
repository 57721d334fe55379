package rubricem.persistence.corpus;

import java.util.List;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.util.BytesRef;

/**
 * A file as it stands in the index: what it was when it was read, its whole text or the reason
 * why there is none.
 *
 * @param state {@link Fields#READABLE}, {@link Fields#UNREADABLE} or {@link Fields#ASSET}
 */
record FileDocument(
    String path, long size, long modified, String hash, String state, String title,
    Optional<Reading.Unreadable> reason, List<String> notes, String extract) {

  Document toIndex() {
    Document document = new Document();
    document.add(new StringField(Fields.KIND, Fields.FILE, Store.NO));
    document.add(new StringField(Fields.PATH, path, Store.YES));
    document.add(new SortedDocValuesField(Fields.PATH_COLUMN, new BytesRef(path)));
    PassageDocument.under(document, path);
    document.add(new NumericDocValuesField(Fields.SIZE, size));
    document.add(new NumericDocValuesField(Fields.MODIFIED, modified));
    document.add(new NumericDocValuesField(Fields.READER, DocumentReader.VERSION));
    document.add(new StringField(Fields.HASH, hash, Store.YES));
    document.add(new StringField(Fields.STATE, state, Store.YES));
    document.add(new StoredField(Fields.FILE_TITLE, title));
    reason.ifPresent(
        no -> {
          document.add(new StoredField(Fields.REASON_KIND, no.kind().label()));
          document.add(new StoredField(Fields.REASON, no.detail()));
        });
    notes.forEach(note -> document.add(new StoredField(Fields.NOTE, note)));
    document.add(new StoredField(Fields.EXTRACT, extract));
    return document;
  }
}
