-- Alerts that changed or are open: unit, process, rule, machine, opened, closed, is_open (in the
-- latest snapshot), first_ms, last_ms (times of the changes; 0: none); in any order. A change is an
-- alert that a snapshot reports as opened or closed, unless the fact before says the same. It also
-- closes when a snapshot has no alert of its unit. A machine without --state reports all its alerts
-- as opened each time, so the facts of the day before :since are read too. Process and rule are
-- empty for alerts in the latest snapshot of whose unit none was reported. The store asks the facts
-- of each machine, and groups the rows that take() gets.
--: facts
-- ms, the first ms of the question, unit, process, rule, is_open. Of a snapshot with units only ms:
-- one without them does not say which alerts are open. Of a unit with alerts ms and unit.
SELECT take(ms, :since * 1000, unit, process, rule, is_open)
FROM (
  SELECT s.time * 1000 + s.millisecond AS ms, NULL AS unit, NULL AS process, NULL AS rule,
         NULL AS is_open
  FROM snapshots s
  WHERE s.machine = :machine AND s.time >= :since - 86400 AND s.time < :before
    AND EXISTS (SELECT 1 FROM units f WHERE f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535)
  UNION ALL
  SELECT s.time * 1000 + s.millisecond, f.unit, NULL, NULL, NULL
  FROM snapshots s CROSS JOIN units f
  WHERE s.machine = :machine AND s.time >= :since - 86400 AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535 AND f.alerts > 0
    AND (:units IS NULL OR f.unit IN (
      SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
  UNION ALL
  SELECT s.time * 1000 + s.millisecond, f.unit, f.process, f.rule, f.state <> 0
  FROM snapshots s CROSS JOIN alerts f
  WHERE s.machine = :machine AND s.time >= :since - 86400 AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535 AND f.state IS NOT NULL
    AND (:units IS NULL OR f.unit IN (
      SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
);
