-- unit, and before and after: machines (with its size), snapshots, means and parts (sums over the
-- machines of the mean size, in bytes, and of the rest of its division, in 1/1048576 bytes: exact,
-- whatever the order); in any order. The store asks both parts of each machine and time, and groups
-- by unit the rows that take() gets.
--: facts
-- unit, size. Asked of each range of time that is not summed up.
SELECT take(f.unit, f.text + f.data + f.bss)
FROM snapshots s CROSS JOIN units f
WHERE s.machine = :machine AND s.time >= :since AND s.time < :before
  AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  AND (:units IS NULL OR f.unit IN (
    SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))));
--: sums
-- unit, snapshots, sized, bytes
SELECT take(unit, snapshots, sized, bytes)
FROM unit_days
WHERE machine = :machine
  AND day IN (SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
  AND (:units IS NULL OR unit IN (
    SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))));
