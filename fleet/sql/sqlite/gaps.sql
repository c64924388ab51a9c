-- By machine and boot: machine, boot, snapshots, missing (numbers that a series skips), series
-- (they begin when a number is not above the one before), lost (the growth of the
-- machine's counter), first_ns, last_ns
WITH numbered AS (
  SELECT machine, boot, sequence, lost, time_ns,
         lag(sequence) OVER (PARTITION BY machine, boot ORDER BY time, millisecond) AS before
  FROM snapshots
  WHERE time >= :since AND time < :before
    AND (:machines IS NULL OR machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
)
SELECT m.machine, b.text, count(*),
       coalesce(sum(CASE WHEN sequence > before THEN sequence - before - 1 END), 0),
       sum(sequence IS NOT NULL AND (before IS NULL OR sequence <= before)),
       max(lost) - min(lost), min(time_ns), max(time_ns)
FROM numbered JOIN machines m ON m.id = numbered.machine JOIN texts b ON b.id = numbered.boot
GROUP BY numbered.machine, boot
ORDER BY m.machine, min(time_ns);
