-- unit: the units of snapshots and of alerts
WITH summed AS (SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
SELECT text FROM texts
WHERE id IN (
  SELECT f.unit FROM snapshots s CROSS JOIN units f
  WHERE s.time >= :since AND s.time < :before AND s.time - s.time % 86400 NOT IN summed
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  UNION
  SELECT f.unit FROM snapshots s CROSS JOIN alerts f
  WHERE s.time >= :since AND s.time < :before
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  UNION
  SELECT unit FROM unit_days WHERE day IN summed
)
ORDER BY text;
