-- kind (class, slab, file system), name, machine, snapshots, bytes, min_bytes, max_bytes; in
-- any order, and a name and machine may occur more than once
SELECT kind, t.text, m.machine, snapshots, bytes, min_bytes, max_bytes
FROM (
  SELECT 'class' AS kind, f.class AS name, s.machine, count(*) AS snapshots,
         sum(f.bytes) AS bytes, min(f.bytes) AS min_bytes, max(f.bytes) AS max_bytes
  FROM snapshots s CROSS JOIN classes f
  WHERE s.time >= :since AND s.time < :before
    AND s.time - s.time % 86400 NOT IN (
      SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
    AND (:machines IS NULL OR s.machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  GROUP BY f.class, s.machine
  UNION ALL
  SELECT k.text, f.name, s.machine, count(*), sum(f.bytes), min(f.bytes), max(f.bytes)
  FROM snapshots s CROSS JOIN caches f JOIN texts k ON k.id = f.kind
  WHERE s.time >= :since AND s.time < :before
    AND s.time - s.time % 86400 NOT IN (
      SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
    AND (:machines IS NULL OR s.machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  GROUP BY f.kind, f.name, s.machine
  UNION ALL
  SELECT kind, name, machine, sum(snapshots), sum(bytes), min(min_bytes), max(max_bytes)
  FROM ram_days d
  WHERE d.day IN (SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
    AND (:machines IS NULL OR d.machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
  GROUP BY kind, name, machine
) q JOIN texts t ON t.id = q.name JOIN machines m ON m.id = q.machine;
