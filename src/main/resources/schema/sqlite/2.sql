-- What a list of episodes shows, written in the commit of the events it is made from. Times are
-- milliseconds; searched is the beginning of the question in lower case.
CREATE TABLE IF NOT EXISTS episode (
  id TEXT NOT NULL PRIMARY KEY,
  status TEXT NOT NULL,
  outcome TEXT,
  question TEXT NOT NULL,
  searched TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS episode_by_status ON episode (status, id);
-- Which episode a request means that may be sent again. Keys are kept as their digest; rows
-- with a time are forgotten some day.
CREATE TABLE IF NOT EXISTS request_key (
  key_digest TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  episode TEXT NOT NULL,
  claimed_at INTEGER
) WITHOUT ROWID;
