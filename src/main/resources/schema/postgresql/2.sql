-- What a list of episodes shows, written in the commit of the events it is made from. Times are
-- milliseconds; searched is the beginning of the question in lower case.
CREATE TABLE IF NOT EXISTS episode (
  id VARCHAR(255) COLLATE "C" NOT NULL PRIMARY KEY,
  status VARCHAR(16) NOT NULL,
  outcome VARCHAR(32),
  question TEXT NOT NULL,
  searched TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX IF NOT EXISTS episode_by_status ON episode (status, id);
-- Which episode a request means that may be sent again. Keys are kept as their digest; rows
-- with a time are forgotten some day.
CREATE TABLE IF NOT EXISTS request_key (
  key_digest VARCHAR(64) NOT NULL PRIMARY KEY,
  digest VARCHAR(64) NOT NULL,
  episode VARCHAR(255) NOT NULL,
  claimed_at BIGINT
);
