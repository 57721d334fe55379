-- One row a persistence id: rows of the journal name it by number, which keeps their index small.
CREATE TABLE IF NOT EXISTS journal_entity (
  no INTEGER PRIMARY KEY,
  persistence_id TEXT NOT NULL UNIQUE,
  deleted_to INTEGER DEFAULT 0 NOT NULL
);
-- One row a write: the events that were stored together, framed by JournalFrames. ordering makes
-- every new row land at the end of the table. A second writer of a sequence number fails.
CREATE TABLE IF NOT EXISTS journal (
  ordering INTEGER PRIMARY KEY,
  entity INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  events INTEGER NOT NULL,
  payload BLOB NOT NULL,
  UNIQUE (entity, seq)
);
CREATE TABLE IF NOT EXISTS snapshot (
  entity INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  taken_at INTEGER NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (entity, seq)
);
