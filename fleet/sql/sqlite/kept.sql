-- machine, time_ns, archive, alerts: snapshots that the archive has, by machine and time
SELECT m.machine, s.time_ns, a.text,
       (SELECT sum(alerts) FROM units WHERE id BETWEEN s.id << 16 AND (s.id << 16) + 65535)
FROM snapshots s JOIN texts a ON a.id = s.archive JOIN machines m ON m.id = s.machine
WHERE s.time >= :since AND s.time < :before AND a.text <> ''
  AND (:machines IS NULL OR m.machine IN (SELECT value FROM json_each(:machines)))
ORDER BY m.machine, s.time, s.millisecond;
