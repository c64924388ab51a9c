-- machine, GiB (the sizes of units, classes and caches in all of its snapshots together), to name
-- the host of a sum that is too large. Each shard answers for its machines.
SELECT machine, toUInt64(sum(bytes) / 1073741824)
FROM (
  SELECT machine_hash, toFloat64(ifNull(text + data + bss, 0)) AS bytes
  FROM {database}.units
  WHERE {in_span}
  UNION ALL
  SELECT machine_hash, toFloat64(ifNull(bytes, 0)) AS bytes
  FROM {database}.classes
  WHERE {in_span}
  UNION ALL
  SELECT machine_hash, toFloat64(ifNull(bytes, 0)) AS bytes
  FROM {database}.caches
  WHERE {in_span}
  UNION ALL
  SELECT machine_hash, toFloat64(bytes) AS bytes
  FROM {database}.unit_days
  WHERE day >= :since AND day + 86400 <= :before
    AND day < (SELECT max(before) FROM {database}.expired)
    [machines: AND machine_hash IN (:machines)]
  UNION ALL
  SELECT machine_hash, toFloat64(ifNull(bytes, 0)) AS bytes
  FROM {database}.ram_days
  WHERE day >= :since AND day + 86400 <= :before
    AND day < (SELECT max(before) FROM {database}.expired)
    [machines: AND machine_hash IN (:machines)]
) AS l ALL INNER JOIN (
  SELECT machine_hash, any(machine) AS machine FROM {database}.machines GROUP BY machine_hash
) AS r USING machine_hash
GROUP BY machine
