-- Changes of alerts: unit, process, rule, machine, opened, closed, is_open (after the last change),
-- first_ms, last_ms (times of the changes); in any order. A machine without --state reports all its
-- alerts as opened each time: an alert that it reported in the day before :since does not open.
-- `facts` has (ms, whether it is open), and `was` the latter of the fact before; 2: none.
SELECT unit, process, rule, machine, opened, closed, is_open, first_ms, last_ms
FROM (
  SELECT unit, process, rule, machine_hash,
         arraySort(groupArray(tuple(ms, open))) AS facts,
         arrayPopBack(arrayPushFront(arrayMap(x -> x.2, facts), toUInt8(2))) AS was,
         arrayFilter((x, y) -> x.2 != y AND x.1 >= :since * 1000, facts, was) AS changes,
         arrayCount(x -> x.2 = 1, changes) AS opened, length(changes) - opened AS closed,
         arrayElement(changes, -1).2 AS is_open, arrayElement(changes, 1).1 AS first_ms,
         arrayElement(changes, -1).1 AS last_ms
  FROM (
    SELECT unit, process, rule, machine_hash, assumeNotNull(state) != 0 AS open,
           toUInt64(toUInt32(time)) * 1000 + millisecond AS ms
    FROM {database}.alerts{all} FINAL
    WHERE time >= toDateTime(greatest(:since, 86400) - 86400) AND time < toDateTime(:before)
      AND (machine_hash, time, millisecond) IN (
        SELECT machine_hash, time, millisecond FROM {database}.snapshots
        WHERE time >= toDateTime(greatest(:since, 86400) - 86400)
          AND time < toDateTime(:before))
      AND state IS NOT NULL
      [machines: AND machine_hash IN (:machines)]
      [units: AND unit IN (:units)]
  )
  GROUP BY unit, process, rule, machine_hash
  HAVING notEmpty(changes)
) AS l ALL INNER JOIN (
  SELECT machine_hash, any(machine) AS machine FROM {database}.machines{all} GROUP BY machine_hash
) AS r USING machine_hash
