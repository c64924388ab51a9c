-- The other statements. A line "--: NAME" begins each. C++ replaces {table} by the name of a fact
-- table, and {values} by parameters for each row and column.
--: open
PRAGMA page_size = 16384;  -- of a new database
PRAGMA cache_size = -16384;  -- KiB
PRAGMA temp_store = FILE;
--: read_only
PRAGMA query_only = ON;
--: application
PRAGMA application_id;
--: version
PRAGMA user_version;
--: objects
SELECT count(*) FROM sqlite_master;
--: mark
PRAGMA application_id = 1886217324;
PRAGMA user_version = 4;
DROP TABLE IF EXISTS text_sweeps;  -- of version 3
DROP TABLE IF EXISTS used_texts;
--: begin
BEGIN IMMEDIATE;
--: begin_read
BEGIN;
--: commit
COMMIT;
--: rollback
ROLLBACK;
--: known
SELECT 1 FROM snapshots WHERE key = ?;
--: find_text
SELECT id FROM texts WHERE text = ?;
--: add_text
INSERT INTO texts (text) VALUES (?);
--: find_machine
SELECT id FROM machines WHERE machine = ?;
--: add_machine
INSERT INTO machines (machine) VALUES (?);
--: replaced
SELECT id FROM snapshots WHERE key = ?1 OR (machine = ?2 AND time = ?3 AND millisecond = ?4);
--: remove_snapshot
DELETE FROM snapshots WHERE id = ?;
--: remove_facts
DELETE FROM {table} WHERE id BETWEEN ?1 << 16 AND (?1 << 16) + 65535;
--: next_snapshot
SELECT coalesce(max(id), 0) + 1 FROM snapshots;
--: add_snapshot
INSERT INTO snapshots VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?);
--: set_kept
UPDATE snapshots SET archive = ?2 WHERE key = ?1;
--: forget_kept
UPDATE snapshots SET archive = ?2 WHERE time < ?1 AND archive <> ?2;
--: add_fact
INSERT INTO {table} VALUES {values};
--: forget_day
DELETE FROM days WHERE day = ?;
--: forget_trend
DELETE FROM trend_days WHERE day = ?;
--: change_day
INSERT INTO day_changes VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET number = number + 1;
--: day_of
SELECT time - time % 86400 FROM snapshots WHERE id = ?;
--: day_to_sum_up
-- The first one that ends before ?1 and begins at ?2 or later
SELECT min(time - time % 86400) FROM snapshots
WHERE time >= ?2 AND time - time % 86400 + 86400 <= ?1
  AND time - time % 86400 NOT IN (SELECT day FROM days);
--: expired_before
SELECT max(before) FROM expired;
--: set_expired
INSERT INTO expired VALUES (?);
--: oldest
SELECT id FROM snapshots WHERE time < ? LIMIT 1000;
--: some_of_machine
SELECT take(id, time - time % 86400) FROM (
  SELECT id, time FROM snapshots WHERE machine = ? AND time >= ? AND time < ? LIMIT 1000);
--: days_of_machine
SELECT take(day) FROM machine_days WHERE machine = ? AND day >= ? AND day + 86400 <= ?;
--: remove_machine_day
DELETE FROM machine_days WHERE machine = ? AND day = ?;
--: remove_unit_days
DELETE FROM unit_days WHERE machine = ? AND day = ?;
--: remove_ram_days
DELETE FROM ram_days WHERE machine = ? AND day = ?;
--: text_of
SELECT text FROM texts WHERE id = ?;
--: summed_days
SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before ORDER BY day;
--: machines
SELECT id, machine FROM machines
WHERE :machines IS NULL OR machine IN (SELECT value FROM json_each(:machines))
ORDER BY machine;
