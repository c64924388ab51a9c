-- By day, of the bytes that the units have together in one snapshot: day (its first second),
-- machines, snapshots, bytes, min_bytes, p50, p99 (nearest rank), max_bytes. Days before :expired
-- have it of single units and of all machines.
SELECT day, machines, snapshots, all_bytes, min_bytes, p50, p99, max_bytes
FROM (
  SELECT day, uniqExact(machine_hash) AS machines, count() AS snapshots,
         toUInt64(sum(toDecimal64(size, 0)) AS of_day) + throwIf(of_day >= 9223372036854775807)
           AS all_bytes,
         min(size) AS min_bytes,
         arrayElement(arraySort(groupArray(size)), intDiv(count() * 50 + 99, 100)) AS p50,
         arrayElement(arraySort(groupArray(size)), intDiv(count() * 99 + 99, 100)) AS p99,
         max(size) AS max_bytes
  FROM (
    SELECT intDiv(toUInt32(time), 86400) * 86400 AS day, machine_hash,
           toUInt64(sum(toDecimal64(ifNull(text + data + bss, 0), 0)) AS of_units)
             + throwIf(of_units >= 9223372036854775807) AS size
    FROM {database}.units{all} FINAL
    WHERE {in_span} AND time >= toDateTime(:expired) AND text IS NOT NULL
      [units: AND unit_hash IN (:units)]
    GROUP BY machine_hash, time, millisecond
  )
  GROUP BY day
  [unit: UNION ALL
  SELECT day, machines, snapshots, bytes AS all_bytes, min_bytes, p50, p99, max_bytes
  FROM {database}.trend_days FINAL
  WHERE day >= :since AND day + 86400 <= :before AND day < :expired AND unit_hash = :unit]
)
ORDER BY day
