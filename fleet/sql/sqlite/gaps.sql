-- By machine and boot: machine, boot, snapshots, missing (numbers that a series skips), series
-- (they begin when a number is not above the one before), lost (the growth of the machine's
-- counter), first_ns, last_ns. A series and the counter may continue over boots. Within a boot the
-- order is that of uptime, because a clock may be set back.
WITH placed AS (
  SELECT s.*, b.text AS boot_id, b.text <> '' AND uptime_ns IS NOT NULL AS has_uptime
  FROM snapshots s JOIN texts b ON b.id = s.boot
  WHERE time >= :since AND time < :before
    AND (:machines IS NULL OR machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
),
timed AS (
  SELECT *, CASE WHEN has_uptime THEN max(time_ns) OVER (PARTITION BY machine, boot, has_uptime)
                 ELSE time_ns END AS boot_ns,
         CASE WHEN has_uptime THEN uptime_ns ELSE 0 END AS up
  FROM placed
),
numbered AS (
  SELECT machine, boot_id, sequence, time_ns, lost,
         lag(sequence) OVER series AS before, lag(lost, 1, lost) OVER series AS lost_before
  FROM timed
  WINDOW series AS (PARTITION BY machine ORDER BY boot_ns, up, time, millisecond)
)
SELECT m.machine, boot_id, count(*),
       coalesce(sum(CASE WHEN sequence > before THEN sequence - before - 1 END), 0),
       sum(sequence IS NOT NULL AND (before IS NULL OR sequence <= before)),
       sum(max(lost - lost_before, 0)), min(time_ns), max(time_ns)
FROM numbered JOIN machines m ON m.id = numbered.machine
GROUP BY numbered.machine, boot_id
ORDER BY m.machine, min(time_ns);
