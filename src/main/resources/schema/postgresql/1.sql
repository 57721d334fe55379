-- Ids sort by their bytes, whatever the language of the database.
-- One row a persistence id: rows of the journal name it by number, which keeps their index small.
CREATE TABLE IF NOT EXISTS journal_entity (
  no BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  persistence_id VARCHAR(512) COLLATE "C" NOT NULL UNIQUE,
  deleted_to BIGINT DEFAULT 0 NOT NULL
);
-- One row a write: the events that were stored together, framed by JournalFrames. ordering makes
-- every new row land at the end of the file. A second writer of a sequence number fails.
CREATE TABLE IF NOT EXISTS journal (
  ordering BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  entity BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  events INT NOT NULL,
  payload BYTEA NOT NULL,
  CONSTRAINT journal_once UNIQUE (entity, seq)
);
CREATE TABLE IF NOT EXISTS snapshot (
  entity BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  taken_at BIGINT NOT NULL,
  payload BYTEA NOT NULL,
  PRIMARY KEY (entity, seq)
);
