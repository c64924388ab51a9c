-- unit, machine, snapshots, sized (snapshots whose sizes are known), bytes, min_bytes, max_bytes
-- (of these), first_ns, last_ns, alerts; in any order, and a pair may occur more than once. The store
-- asks this of each machine.
SELECT t.text, m.machine, snapshots, sized, bytes, min_bytes, max_bytes, first_ns, last_ns, alerts
FROM (
  SELECT f.unit, count(*) AS snapshots, count(f.text) AS sized,
         coalesce(sum(f.text + f.data + f.bss), 0) AS bytes,
         min(f.text + f.data + f.bss) AS min_bytes, max(f.text + f.data + f.bss) AS max_bytes,
         min(s.time_ns) AS first_ns, max(s.time_ns) AS last_ns, sum(f.alerts) AS alerts
  FROM snapshots s CROSS JOIN units f
  WHERE s.machine = :machine AND s.time >= :since AND s.time < :before
    AND s.time - s.time % 86400 NOT IN (
      SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
    AND (:units IS NULL OR f.unit IN (
      SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
  GROUP BY f.unit
  UNION ALL
  SELECT d.unit, sum(snapshots), sum(sized), sum(bytes), min(min_bytes), max(max_bytes),
         min(first_ns), max(last_ns), sum(alerts)
  FROM unit_days d
  WHERE d.machine = :machine
    AND d.day IN (SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
    AND (:units IS NULL OR d.unit IN (
      SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
  GROUP BY d.unit
) q JOIN texts t ON t.id = q.unit JOIN machines m ON m.id = :machine;
