-- machine, time_ns, archive: of each machine, the latest snapshot that the archive has
SELECT m.machine, s.time_ns, a.text
FROM machines m JOIN snapshots s ON s.id = (
  SELECT k.id FROM snapshots k
  WHERE k.machine = m.id AND k.time >= :since AND k.time < :before
    AND k.archive IS NOT (SELECT id FROM texts WHERE text = '')
  ORDER BY k.time DESC, k.millisecond DESC LIMIT 1)
JOIN texts a ON a.id = s.archive
WHERE :machines IS NULL OR m.machine IN (SELECT value FROM json_each(:machines))
ORDER BY m.machine;
