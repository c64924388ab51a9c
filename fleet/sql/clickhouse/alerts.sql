-- Alerts that changed or are open: unit, process, rule, machine, opened, closed, is_open (in the
-- latest snapshot), first_ms, last_ms (times of the changes; 0: none); in any order. A change is an
-- alert that a snapshot reports as opened or closed, unless the fact before says the same. It also
-- closes when a snapshot has no alert of its unit. A machine without --state reports all its alerts
-- as opened each time, so the facts of the day before :since are read too. Process and rule are
-- empty for alerts in the latest snapshot of whose unit none was reported. Each shard answers for
-- its machines.
-- `events` has (ms, whether the snapshot has no alert of the unit, whether it is open), and `was`
-- the latter of the event before; 2: none.
SELECT unit, process, rule, machine, opened, closed, is_open, first_ms, last_ms
FROM (
  SELECT unit_hash, process, rule, machine, opened, closed, is_open, first_ms, last_ms
  FROM (
    SELECT machine_hash, unit_hash, alert.1 AS process, alert.2 AS rule, alert.3 AS opened,
           alert.4 AS closed, alert.5 AS is_open, alert.6 AS first_ms, alert.7 AS last_ms
    FROM (
      SELECT machine_hash, unit_hash,
             arrayConcat(
               groupArray(tuple(process, rule, opened, closed, is_open, first_ms, last_ms)),
               arrayFilter(x -> x.5 > max(is_open),
                 array(tuple('', '', toUInt64(0), toUInt64(0), any(in_latest), toUInt64(0),
                   toUInt64(0))))) AS alerts
      FROM (
        SELECT machine_hash, unit_hash, process, rule, in_latest,
               arraySort(arrayConcat(facts, gone)) AS events,
               arrayPopBack(arrayPushFront(arrayMap(x -> x.3, events), toUInt8(2))) AS was,
               arrayFilter((x, y) -> x.3 != y AND (x.2 = 0 OR y = 1) AND x.1 >= :since * 1000,
                 events, was) AS changes,
               toUInt64(arrayCount(x -> x.3 = 1, changes)) AS opened,
               toUInt64(length(changes) - opened) AS closed, arrayElement(events, -1).3 AS is_open,
               arrayElement(changes, 1).1 AS first_ms, arrayElement(changes, -1).1 AS last_ms
        FROM (
          SELECT machine_hash, unit_hash,
                 arraySort(groupArrayIf(tuple(ms, next_ms), has_alerts AND has_units)) AS times,
                 arrayPopFront(arrayPushBack(arrayMap(x -> x.1, times), toUInt64(0))) AS later,
                 arrayMap(x -> tuple(x.2, toUInt8(1), toUInt8(0)),
                   arrayFilter((x, y) -> x.2 != 0 AND x.2 != y, times, later)) AS gone,
                 notEmpty(times) AND arrayElement(times, -1).2 = 0
                   AND arrayElement(times, -1).1 >= :since * 1000 AS in_latest
          FROM (
            SELECT machine_hash, unit_hash, ms, max(is_there) AS has_alerts
            FROM (
              SELECT machine_hash, unit_hash, toUInt64(toUInt32(time)) * 1000 + millisecond AS ms,
                     toUInt8(1) AS is_there
              FROM {database}.units FINAL
              WHERE {in_span} AND alerts > 0
                [units: AND unit_hash IN (:units)]
              UNION ALL
              SELECT machine_hash, unit_hash, toUInt64(toUInt32(time)) * 1000 + millisecond AS ms,
                     toUInt8(assumeNotNull(state) != 0) AS is_there
              FROM {database}.alerts FINAL
              WHERE {in_span} AND state IS NOT NULL
                [units: AND unit_hash IN (:units)]
            )
            GROUP BY machine_hash, unit_hash, ms
          ) AS l ANY LEFT JOIN (
            SELECT machine_hash, ms, next_ms, toUInt8(1) AS has_units
            FROM (
              SELECT machine_hash,
                     arraySort(groupUniqArray(toUInt64(toUInt32(time)) * 1000 + millisecond)) AS times
              FROM {database}.units
              WHERE {in_span}
              GROUP BY machine_hash
            )
            ARRAY JOIN times AS ms, arrayPopFront(arrayPushBack(times, toUInt64(0))) AS next_ms
          ) AS r USING machine_hash, ms
          GROUP BY machine_hash, unit_hash
        ) AS l ALL LEFT JOIN (
          SELECT machine_hash, unit_hash, process, rule,
                 groupArray(tuple(toUInt64(toUInt32(time)) * 1000 + millisecond, toUInt8(0),
                   toUInt8(assumeNotNull(state) != 0))) AS facts
          FROM {database}.alerts FINAL
          WHERE {in_span} AND state IS NOT NULL
            [units: AND unit_hash IN (:units)]
          GROUP BY machine_hash, unit_hash, process, rule
        ) AS r USING machine_hash, unit_hash
      )
      GROUP BY machine_hash, unit_hash
    )
    ARRAY JOIN alerts AS alert
    WHERE is_open != 0 OR first_ms != 0
  ) AS l ALL INNER JOIN (
    SELECT machine_hash, any(machine) AS machine FROM {database}.machines GROUP BY machine_hash
  ) AS r USING machine_hash
) AS l ALL INNER JOIN (
  SELECT unit_hash, any(unit) AS unit FROM {database}.unit_names GROUP BY unit_hash
) AS r USING unit_hash
