-- machine, host (the latest name), time_ns (of the latest snapshot), of machines with snapshots at
-- :since or later
SELECT m.machine, t.text, s.time_ns
FROM machines m JOIN snapshots s ON s.id = (
  SELECT k.id FROM snapshots k WHERE k.machine = m.id AND k.time >= :since
  ORDER BY k.time DESC, k.millisecond DESC LIMIT 1)
JOIN texts t ON t.id = s.host
ORDER BY m.machine;
