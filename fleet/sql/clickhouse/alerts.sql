-- Events of alerts: machine, unit, process, rule, ms, event. Within a machine they are in the order
-- of unit, ms and event. fleet/ask/alert_fold.h defines when an alert is open. The events:
-- 0 and 1: a snapshot reports the alert as closed or open. An alert that the previous snapshot with
-- units reports as open too is left out: a machine without --state reports all its
-- alerts each time. 2: the first snapshot without alerts of the unit, after one that has some.
-- 3: the latest snapshot has alerts of the unit. 4: the first snapshot with alerts of the unit, of
-- all or after one without. For 2 to 4, process and rule are empty. A snapshot without units does
-- not say which alerts are open. Events of the day before :since are included. Each shard answers
-- for its machines.
--: rows
SELECT machine, unit, process, rule, ms, event
FROM (
  SELECT machine_hash, unit, process, rule, ms, event
  FROM (
    {reported}
    UNION ALL
    {of_units}
  ) AS l ALL INNER JOIN (
    SELECT unit_hash, any(unit) AS unit FROM {database}.unit_names GROUP BY unit_hash
  ) AS r USING unit_hash
) AS l ALL INNER JOIN (
  SELECT machine_hash, any(machine) AS machine FROM {database}.machines GROUP BY machine_hash
) AS r USING machine_hash
ORDER BY machine, unit, ms, event
--: snapshots
-- Snapshots with units: machine_hash, ms, and next_ms, the ms of the next one (the latest: 2^63-1).
SELECT machine_hash, ms, next_ms
FROM (
  SELECT machine_hash,
         arraySort(groupUniqArray(toUInt64(toUInt32(time)) * 1000 + millisecond)) AS times
  FROM {database}.units
  WHERE {in_span}
  GROUP BY machine_hash
)
ARRAY JOIN times AS ms,
  arrayPushBack(arrayPopFront(times), toUInt64(9223372036854775807)) AS next_ms
--: facts
SELECT machine_hash, unit_hash, process, rule,
       toUInt64(toUInt32(time)) * 1000 + millisecond AS ms,
       toUInt8(assumeNotNull(state) != 0) AS event
FROM {database}.alerts FINAL
WHERE {in_span} AND state IS NOT NULL
  [units: AND unit_hash IN (:units)]
--: reported
SELECT machine_hash, unit_hash, process, rule, ms, event
FROM (
  SELECT machine_hash, unit_hash, process, rule, arraySort(groupArray(ms)) AS times,
         arraySort((x, y) -> y, groupArray(event), groupArray(ms)) AS events,
         arraySort((x, y) -> y, groupArray(next_ms), groupArray(ms)) AS next_times
  FROM ({facts}) AS l ALL LEFT JOIN ({snapshots}) AS r USING machine_hash, ms
  GROUP BY machine_hash, unit_hash, process, rule
)
ARRAY JOIN times AS ms, events AS event,
  arrayPopBack(arrayPushFront(events, toUInt8(0))) AS event_before,
  arrayPopBack(arrayPushFront(next_times, toUInt64(0))) AS next_before
WHERE event = 0 OR event_before = 0 OR next_before != ms
--: of_units
SELECT machine_hash, unit_hash, '' AS process, '' AS rule,
       if(at = 9223372036854775807, latest, at) AS ms,
       toUInt8(if(is_begin, 4, if(at = 9223372036854775807, 3, 2))) AS event
FROM (
  SELECT machine_hash, unit_hash, times[length(times)] AS latest,
         arrayFilter((x, y) -> x != y, next_times,
                     arrayPushBack(arrayPopFront(times), toUInt64(0))) AS ends,
         arrayFilter((x, y) -> x != y, times,
                     arrayPushFront(arrayPopBack(next_times), toUInt64(0))) AS begins
  FROM (
    SELECT machine_hash, unit_hash, arraySort(groupUniqArray(ms)) AS times,
           arraySort(groupUniqArray(next_ms)) AS next_times
    FROM (
      SELECT machine_hash, unit_hash, toUInt64(toUInt32(time)) * 1000 + millisecond AS ms
      FROM {database}.units FINAL
      WHERE {in_span} AND alerts > 0
        [units: AND unit_hash IN (:units)]
      UNION ALL
      SELECT machine_hash, unit_hash, ms FROM ({facts}) WHERE event = 1
    ) AS l ALL INNER JOIN ({snapshots}) AS r USING machine_hash, ms
    GROUP BY machine_hash, unit_hash
  )
)
ARRAY JOIN arrayConcat(ends, begins) AS at,
  arrayConcat(arrayMap(x -> toUInt8(0), ends), arrayMap(x -> toUInt8(1), begins)) AS is_begin
