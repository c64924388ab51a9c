-- By day, of the bytes that the units have together in one snapshot: day (its first second),
-- machines, snapshots, bytes, min_bytes, p50, p99 (nearest rank), max_bytes. Days that are summed
-- up have it of single units and of all machines.
WITH summed AS (
  SELECT day FROM days
  WHERE day >= :since AND day + 86400 <= :before AND :machines IS NULL
    AND json_array_length(:units) = 1
),
sizes AS (
  SELECT s.time - s.time % 86400 AS day, s.machine, sum(f.text + f.data + f.bss) AS bytes
  FROM snapshots s CROSS JOIN units f
  WHERE s.time >= :since AND s.time < :before AND s.time - s.time % 86400 NOT IN summed
    AND (:machines IS NULL OR s.machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
    AND (:units IS NULL OR f.unit IN (
      SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
    AND f.text IS NOT NULL
  GROUP BY s.id
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY day ORDER BY bytes) AS place,
         count(*) OVER (PARTITION BY day) AS n
  FROM sizes
)
SELECT day, count(DISTINCT machine), count(*), sum(bytes), min(bytes),
       max(CASE WHEN place = (n * 50 + 99) / 100 THEN bytes END),
       max(CASE WHEN place = (n * 99 + 99) / 100 THEN bytes END), max(bytes)
FROM ranked GROUP BY day
UNION ALL
SELECT day, machines, snapshots, bytes, min_bytes, p50, p99, max_bytes FROM trend_days
WHERE day IN summed AND unit = (SELECT id FROM texts WHERE text = json_extract(:units, '$[0]'))
ORDER BY 1;
