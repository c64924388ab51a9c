-- unit, and before and after: machines (with its size), snapshots, means and parts (sums over the
-- machines of the mean size, in bytes, and of the rest of its division, in 1/1048576 bytes: exact,
-- whatever the order); in any order. Each shard answers for its machines.
--: rows
SELECT unit,
       countIf(early_sized > 0), sum(early_snapshots),
       if(max(early_bytes) > 9e18, 9223372036854775807, sum(intDiv(early_bytes, early_divisor))),
       sum(intDiv(early_bytes % early_divisor * 1048576, early_divisor)),
       countIf(late_sized > 0), sum(late_snapshots),
       if(max(late_bytes) > 9e18, 9223372036854775807, sum(intDiv(late_bytes, late_divisor))),
       sum(intDiv(late_bytes % late_divisor * 1048576, late_divisor))
FROM (
  SELECT unit, machine_hash,
         sum(snapshots * (NOT late)) AS early_snapshots, sum(sized * (NOT late)) AS early_sized,
         if(count() * toFloat64(max(bytes * (NOT late))) > 9e18, 9223372036854775807,
            sum(bytes * (NOT late))) AS early_bytes,
         greatest(early_sized, 1) AS early_divisor,
         sum(snapshots * late) AS late_snapshots, sum(sized * late) AS late_sized,
         if(count() * toFloat64(max(bytes * late)) > 9e18, 9223372036854775807,
            sum(bytes * late)) AS late_bytes,
         greatest(late_sized, 1) AS late_divisor
  FROM (
    {facts}
    UNION ALL
    SELECT unit, machine_hash, toUInt8(day >= :since) AS late, snapshots, sized, bytes
    FROM {database}.unit_days FINAL
    WHERE day IN (:summed_days)
      [machines: AND machine_hash IN (:machines)]
      [units: AND unit IN (:units)]
  )
  GROUP BY unit, machine_hash
)
GROUP BY unit
--: facts
SELECT unit, machine_hash, toUInt8(time >= toDateTime(:since)) AS late, toUInt64(1) AS snapshots,
       toUInt64(isNotNull(text + data + bss)) AS sized,
       toUInt64(ifNull(text + data + bss, 0)) AS bytes
FROM {database}.units FINAL
WHERE {in_span}
  [units: AND unit IN (:units)]
