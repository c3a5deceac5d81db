-- A busy feed with a key of its own, and a second factor of a login.

-- The address at which others see when somebody is busy. Its key is made of the same seed, and tells nothing of that of the
-- full feed. Null for a feed that was made before there were two.
ALTER TABLE feeds ADD COLUMN busy_hash TEXT;
CREATE UNIQUE INDEX feeds_by_busy_hash ON feeds (busy_hash) WHERE busy_hash IS NOT NULL;

-- The second factor of an account: codes by time. The secret is made of the seed and a secret that the book does not hold;
-- without a seed it is off. A code counts only for a step of time after the last one, so each counts once.
CREATE TABLE second_factors (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  seed TEXT,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
