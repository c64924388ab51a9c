-- machine, host (the latest name), snapshots, first_ns, last_ns, ledgers (snapshots that have the
-- whole of RAM)
SELECT m.machine,
       (SELECT t.text FROM snapshots l JOIN texts t ON t.id = l.host
        WHERE l.machine = s.machine AND l.time >= :since AND l.time < :before
        ORDER BY l.time DESC, l.millisecond DESC LIMIT 1),
       count(*), min(s.time_ns), max(s.time_ns), sum(s.has_ledger)
FROM snapshots s JOIN machines m ON m.id = s.machine
WHERE s.time >= :since AND s.time < :before
  AND (:machines IS NULL OR m.machine IN (SELECT value FROM json_each(:machines)))
GROUP BY s.machine
ORDER BY m.machine;
