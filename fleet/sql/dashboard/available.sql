-- Panel: Available memory: the 20 hosts with least
-- The least in each step. Hosts of one name are told apart by their machine.
SELECT moment, label, least
FROM (
  SELECT toDateTime(intDiv(toUInt32(time), $__interval_s) * $__interval_s) AS moment,
         machine_hash, min(value) AS least
  FROM $database.counters$suffix FINAL
  WHERE {facts}
    AND counter = 'mem.MemAvailable'
    AND machine_hash GLOBAL IN (
      SELECT machine_hash FROM (
        SELECT machine_hash, min(value) AS lowest
        FROM $database.counters$suffix FINAL
        WHERE {facts}
          AND counter = 'mem.MemAvailable'
        GROUP BY machine_hash
        ORDER BY lowest, machine_hash
        LIMIT 20
      ))
  GROUP BY moment, machine_hash
) AS sizes ALL INNER JOIN (
  SELECT machine_hash, if(length(hashes) = 1, host, concat(host, ' ', id)) AS label
  FROM (
    SELECT host, groupArray(hash) AS hashes, groupArray(machine_id) AS ids
    FROM (
      SELECT machine_hash AS hash, any(machine) AS machine_id, argMax(host, time_ns) AS host
      FROM $database.snapshots$suffix
      WHERE $__timeFilter(time)
      GROUP BY hash
    )
    GROUP BY host
  )
  ARRAY JOIN hashes AS machine_hash, ids AS id
) AS names USING machine_hash
ORDER BY moment, label
