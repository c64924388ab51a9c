-- unit, machine, snapshots, sized (snapshots whose sizes are known), bytes, min_bytes, max_bytes
-- (of these), first_ns, last_ns, alerts; in any order. The store asks both parts of each machine,
-- and groups by unit the rows that take() gets.
--: facts
-- unit, size, time_ns, alerts. Asked of each range of time that is not summed up.
SELECT take(f.unit, f.text + f.data + f.bss, s.time_ns, f.alerts)
FROM snapshots s CROSS JOIN units f
WHERE s.machine = :machine AND s.time >= :since AND s.time < :before
  AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  AND (:units IS NULL OR f.unit IN (
    SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))));
--: sums
-- unit, snapshots, sized, bytes, min_bytes, max_bytes, first_ns, last_ns, alerts
SELECT take(unit, snapshots, sized, bytes, min_bytes, max_bytes, first_ns, last_ns, alerts)
FROM unit_days
WHERE machine = :machine
  AND day IN (SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
  AND (:units IS NULL OR unit IN (
    SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))));
