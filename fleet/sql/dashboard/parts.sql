-- Parts of the panels. A line "--: NAME" begins each, and {NAME} stands for it in other files.
-- Grafana replaces what begins with $.
--: hosts
-- Machines whose latest name in the time range fits the variable Hosts.
machine_hash IN (
  SELECT machine_hash FROM $database.snapshots FINAL
  WHERE $__timeFilter(time)
  GROUP BY machine_hash
  HAVING match(argMax(host, time_ns), '$host'))
--: facts
-- Facts in the time range whose snapshot is stored, of these machines.
$__timeFilter(time)
  AND (machine_hash, time, millisecond) IN (
    SELECT machine_hash, time, millisecond FROM $database.snapshots
    WHERE $__timeFilter(time)
      AND {hosts})
--: in_window
-- Reports that may count at a moment of the time range.
time >= toDateTime(${__from:date:seconds} - $window)
  AND time <= toDateTime(${__to:date:seconds})
--: last_facts
-- Facts of the last report of each machine before each moment: others are not shown.
{in_window}
  AND (machine_hash, time, millisecond) IN (
    SELECT machine_hash, time, millisecond FROM $database.snapshots
    WHERE {in_window}
      AND {hosts}
    ORDER BY machine_hash, time DESC, millisecond DESC
    LIMIT 1 BY machine_hash, intDiv(toUInt32(time) + $__interval_s - 1, $__interval_s))
--: moments
-- The moments of a graph at which each report is the last one of its machine: machine_hash, time,
-- millisecond, moment. It counts until the next one, at most for $window. Moments are multiples of
-- $__interval_s, counted in steps of it.
SELECT machine_hash, toDateTime(report.1) AS time, report.2 AS millisecond,
       toInt64(intDiv(greatest(report.1, ${__from:date:seconds}) + $__interval_s - 1,
         $__interval_s)) AS first_step,
       toInt64(intDiv(least(next - 1, report.1 + $window - 1), $__interval_s)) + 1 AS end_step,
       arrayJoin(arrayMap(x -> toDateTime((x + first_step) * $__interval_s),
         range(toUInt64(greatest(end_step - first_step, 0))))) AS moment
FROM (
  SELECT machine_hash, arraySort(groupArray(tuple(toUInt32(time), millisecond))) AS reports,
         arrayPushBack(arrayPopFront(arrayMap(x -> x.1, reports)),
           toUInt32(${__to:date:seconds} + 1)) AS ends
  FROM $database.snapshots$suffix
  WHERE {in_window}
    AND {hosts}
  GROUP BY machine_hash
)
ARRAY JOIN reports AS report, ends AS next
