package rubricem.persistence.corpus;

/** The names of the index fields. Renaming one makes every existing index unreadable. */
final class Fields {
  /** {@link #FILE} or {@link #PASSAGE}. */
  static final String KIND = "kind";

  static final String FILE = "file";
  static final String PASSAGE = "passage";

  /** Absolute path; a file and all its passages share it and are replaced together. */
  static final String PATH = "path";

  /** The same as a column, of files only: Lucene wants one shape of a field for all entries. */
  static final String PATH_COLUMN = "path_column";

  /** Every folder above the file, and the file: what a root selects by. */
  static final String UNDER = "under";

  static final String SIZE = "size";
  static final String MODIFIED = "modified";

  /** {@link DocumentReader#VERSION} of whoever read the file. */
  static final String READER = "reader";

  /** SHA-256 of the bytes. */
  static final String HASH = "hash";

  /** {@link #READABLE} or {@link #UNREADABLE}. */
  static final String STATE = "state";

  static final String READABLE = "readable";
  static final String UNREADABLE = "unreadable";

  /** Set where a page's asset was seen: known, but neither read nor listed. */
  static final String ASSET = "asset";

  /** Why a file cannot be read: {@code UnreadableKind} and its detail. */
  static final String REASON_KIND = "reason_kind";

  static final String REASON = "reason";
  static final String NOTE = "note";
  static final String FILE_TITLE = "file_title";
  static final String TITLE = "title";

  /** The whole extracted text of a file; the text of a passage is {@link #TEXT}. */
  static final String EXTRACT = "extract";

  static final String TEXT = "text";
  static final String EXACT = "exact";
  static final String SECTION = "section";
  static final String PLACE = "place";

  /** What a link to a passage ends with, behind a {@code #}. */
  static final String ANCHOR = "anchor";

  static final String FROM = "from";
  static final String TO = "to";

  /** Position of a passage in its document, counted from 0. */
  static final String ORDINAL = "ordinal";

  /** Unique name of a passage. */
  static final String PASSAGE_ID = "passage_id";

  /** Document and place of a passage as a column: what decides between equal hits. */
  static final String ORDER = "order";

  /** Hash of what is embedded, so that moved text keeps its vector. */
  static final String CONTENT = "content";

  /** The models a passage has a vector of; {@link #ANY_MODEL} beside each. */
  static final String MODEL = "model";

  static final String ANY_MODEL = "*";

  private Fields() {}

  /** Vectors of different models are of different fields: they may differ in their dimension. */
  static String vector(String model) {
    return "vector:" + model;
  }
}
