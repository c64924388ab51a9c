-- By machine and boot: machine, boot, snapshots, missing (numbers that a series skips), series
-- (they begin when a number is not above the one before), lost (the growth of the machine's
-- counter), first_ns, last_ns. A series and the counter may continue over boots.
WITH numbered AS (
  SELECT machine, boot, sequence, time_ns, lost,
         lag(sequence) OVER series AS before, lag(lost, 1, lost) OVER series AS lost_before
  FROM snapshots
  WHERE time >= :since AND time < :before
    AND (:machines IS NULL OR machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
  WINDOW series AS (PARTITION BY machine ORDER BY time, millisecond)
)
SELECT m.machine, b.text, count(*),
       coalesce(sum(CASE WHEN sequence > before THEN sequence - before - 1 END), 0),
       sum(sequence IS NOT NULL AND (before IS NULL OR sequence <= before)),
       sum(max(lost - lost_before, 0)), min(time_ns), max(time_ns)
FROM numbered JOIN machines m ON m.id = numbered.machine JOIN texts b ON b.id = numbered.boot
GROUP BY numbered.machine, boot
ORDER BY m.machine, min(time_ns);
