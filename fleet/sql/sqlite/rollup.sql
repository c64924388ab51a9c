-- Sums up one day, :day, in short transactions. Each of them first compares the day's number with
-- the one that `begin` read: a change of the day changes it. The sums count from `mark` on, which
-- is last. Units are read as by units.sql.
--: machines
SELECT take(id) FROM (SELECT id FROM machines ORDER BY id);
--: is_summed_up
SELECT 1 FROM days WHERE day = :day;
--: number
SELECT number FROM day_changes WHERE day = :day;
--: remove_machine_days
DELETE FROM machine_days WHERE day = :day;
--: remove_ram_days
DELETE FROM ram_days WHERE day = :day;
--: remove_trend_days
DELETE FROM trend_days WHERE day = :day;
--: remove_unit_days
DELETE FROM unit_days WHERE machine = :machine AND day = :day;
--: snapshots
-- host, time_ns, has_ledger; in the order of time
SELECT take(host, time_ns, has_ledger) FROM (
  SELECT host, time_ns, has_ledger FROM snapshots
  WHERE machine = :machine AND time >= :since AND time < :before ORDER BY time, millisecond);
--: ram
-- kind (0: class), name, bytes
SELECT take(kind, name, bytes) FROM (
  SELECT 0 AS kind, f.class AS name, f.bytes
  FROM snapshots s CROSS JOIN classes f
  WHERE s.machine = :machine AND s.time >= :since AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  UNION ALL
  SELECT f.kind, f.name, f.bytes
  FROM snapshots s CROSS JOIN caches f
  WHERE s.machine = :machine AND s.time >= :since AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535);
--: add_machine_day
INSERT INTO machine_days VALUES (?, ?, ?, ?, ?, ?, ?);
--: add_unit_day
INSERT INTO unit_days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
--: add_ram_day
-- A machine may report a kind of cache with the name "class".
INSERT INTO ram_days
VALUES (?, coalesce((SELECT text FROM texts WHERE id = ?), 'class'), ?, ?, ?, ?, ?, ?)
ON CONFLICT (day, kind, name, machine) DO UPDATE SET
  snapshots = snapshots + excluded.snapshots, bytes = bytes + excluded.bytes,
  min_bytes = min(min_bytes, excluded.min_bytes), max_bytes = max(max_bytes, excluded.max_bytes);
--: add_trend_day
INSERT INTO trend_days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);
--: mark
INSERT INTO days VALUES (:day);
