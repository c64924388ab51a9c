-- By machine, boot and run of numbers without a gap: machine, boot, snapshots, missing (numbers
-- between the run before and this one), series (they begin when a number is not above the one
-- before), lost (the growth of the machine's counter), first_ns, last_ns, and if numbers are
-- missing: first_missing, last_missing, before_ns, after_ns (times of the snapshots before and
-- after them). A run, a series and the counter may continue over boots. Within a boot the order is
-- by uptime, because a clock may be set back. Runs of a machine are in order.
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
  SELECT *, lag(sequence) OVER series AS before, lag(lost, 1, lost) OVER series AS lost_before,
         lag(time_ns) OVER series AS before_ns
  FROM timed
  WINDOW series AS (PARTITION BY machine ORDER BY boot_ns, up, time, millisecond)
),
followed AS (
  SELECT *, coalesce(sequence > before + 1, 0) AS is_after_gap
  FROM numbered
),
runs AS (
  SELECT *, sum(is_after_gap) OVER (PARTITION BY machine ORDER BY boot_ns, up, time, millisecond
                                    ROWS UNBOUNDED PRECEDING) AS run
  FROM followed
)
SELECT m.machine, boot_id, count(*),
       coalesce(sum(CASE WHEN is_after_gap THEN sequence - before - 1 END), 0),
       sum(sequence IS NOT NULL AND (before IS NULL OR sequence <= before)),
       sum(max(lost - lost_before, 0)), min(time_ns), max(time_ns),
       max(CASE WHEN is_after_gap THEN before + 1 END),
       max(CASE WHEN is_after_gap THEN sequence - 1 END),
       max(CASE WHEN is_after_gap THEN before_ns END), max(CASE WHEN is_after_gap THEN time_ns END)
FROM runs JOIN machines m ON m.id = runs.machine
GROUP BY runs.machine, boot_id, run
ORDER BY m.machine, run, min(time_ns);
