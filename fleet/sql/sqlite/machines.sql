-- machine, host (the latest name), snapshots, first_ns, last_ns, ledgers (snapshots that have the
-- whole of RAM)
WITH parts AS (
  SELECT machine, 1 AS snapshots, host, time_ns AS first_ns, time_ns AS last_ns,
         has_ledger AS ledgers
  FROM snapshots s
  WHERE time >= :since AND time < :before
    AND time - time % 86400 NOT IN (
      SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
  UNION ALL
  SELECT machine, snapshots, host, first_ns, last_ns, ledgers FROM machine_days
  WHERE day IN (SELECT day FROM days WHERE day >= :since AND day + 86400 <= :before)
),
latest AS (SELECT machine, host, max(last_ns) FROM parts GROUP BY machine)
SELECT m.machine, t.text, sum(p.snapshots), min(p.first_ns), max(p.last_ns), sum(p.ledgers)
FROM parts p JOIN latest l ON l.machine = p.machine JOIN texts t ON t.id = l.host
  JOIN machines m ON m.id = p.machine
WHERE :machines IS NULL OR m.machine IN (SELECT value FROM json_each(:machines))
GROUP BY p.machine
ORDER BY m.machine;
