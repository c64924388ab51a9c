-- unit
SELECT text FROM texts
WHERE id IN (
  SELECT f.unit FROM snapshots s CROSS JOIN units f
  WHERE s.time - s.time % 86400 NOT IN (SELECT day FROM days)
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  UNION
  SELECT unit FROM unit_days
)
ORDER BY text;
