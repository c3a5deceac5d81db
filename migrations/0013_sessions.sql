-- Sessions that people can tell apart: on which device, and when it was used last, to the day.

ALTER TABLE sessions ADD COLUMN last_used_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN device TEXT;

-- Until now a session ended 30 days after its last use.
UPDATE sessions SET last_used_at = expires_at - 2592000000;
