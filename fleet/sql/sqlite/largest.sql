-- machine, GiB (the sizes of units, classes and caches in all of its snapshots together), to name
-- the host of a sum that is too large. total() is floating point and has no limit. Days without
-- facts have it of their sums.
SELECT m.machine, CAST(total(q.bytes) / 1073741824 AS INTEGER)
FROM (
  SELECT s.machine, total(f.text + f.data + f.bss) AS bytes
  FROM snapshots s CROSS JOIN units f
  WHERE s.time >= :since AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  GROUP BY s.machine
  UNION ALL
  SELECT s.machine, total(f.bytes)
  FROM snapshots s CROSS JOIN classes f
  WHERE s.time >= :since AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  GROUP BY s.machine
  UNION ALL
  SELECT s.machine, total(f.bytes)
  FROM snapshots s CROSS JOIN caches f
  WHERE s.time >= :since AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  GROUP BY s.machine
  UNION ALL
  SELECT machine, bytes FROM unit_days
  WHERE day >= :since AND day + 86400 <= :before AND day < (SELECT max(before) FROM expired)
  UNION ALL
  SELECT machine, bytes FROM ram_days
  WHERE day >= :since AND day + 86400 <= :before AND day < (SELECT max(before) FROM expired)
) q JOIN machines m ON m.id = q.machine
WHERE :machines IS NULL OR m.machine IN (SELECT value FROM json_each(:machines))
GROUP BY q.machine
ORDER BY m.machine;
