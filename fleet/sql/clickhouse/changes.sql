-- unit, and before and after: machines (with its size), snapshots, means and parts (sums over the
-- machines of the mean size, in bytes, and of the rest of its division, in 1/1048576 bytes: exact,
-- whatever the order); in any order. Each shard answers for its machines.
--: rows
SELECT unit, early_machines, early_snapshots, early_means, early_parts,
       late_machines, late_snapshots, late_means, late_parts
FROM (
  SELECT unit_hash,
         countIf(early_sized > 0) AS early_machines, sum(early_count) AS early_snapshots,
         toUInt64(sum(toDecimal64(intDiv(early_bytes, early_divisor), 0)) AS early_sum)
           + throwIf(early_sum >= 9223372036854775807) AS early_means,
         sum(intDiv(early_bytes % early_divisor * 1048576, early_divisor)) AS early_parts,
         countIf(late_sized > 0) AS late_machines, sum(late_count) AS late_snapshots,
         toUInt64(sum(toDecimal64(intDiv(late_bytes, late_divisor), 0)) AS late_sum)
           + throwIf(late_sum >= 9223372036854775807) AS late_means,
         sum(intDiv(late_bytes % late_divisor * 1048576, late_divisor)) AS late_parts
  FROM (
    SELECT unit_hash, machine_hash,
           sum(snapshots * (NOT late)) AS early_count, sum(sized * (NOT late)) AS early_sized,
           toUInt64(sum(toDecimal64(bytes * (NOT late), 0)) AS early)
             + throwIf(early >= 9223372036854775807) AS early_bytes,
           greatest(early_sized, 1) AS early_divisor,
           sum(snapshots * late) AS late_count, sum(sized * late) AS late_sized,
           toUInt64(sum(toDecimal64(bytes * late, 0)) AS later)
             + throwIf(later >= 9223372036854775807) AS late_bytes,
           greatest(late_sized, 1) AS late_divisor
    FROM (
      {facts}
      UNION ALL
      SELECT unit_hash, machine_hash, toUInt8(day >= :since) AS late, snapshots, sized, bytes
      FROM {database}.unit_days FINAL
      WHERE day IN (:summed_days)
        [machines: AND machine_hash IN (:machines)]
        [units: AND unit_hash IN (:units)]
    )
    GROUP BY unit_hash, machine_hash
  )
  GROUP BY unit_hash
) AS l ALL INNER JOIN (
  SELECT unit_hash, any(unit) AS unit FROM {database}.unit_names GROUP BY unit_hash
) AS r USING unit_hash
--: facts
SELECT unit_hash, machine_hash, toUInt8(time >= toDateTime(:since)) AS late,
       toUInt64(1) AS snapshots, toUInt64(isNotNull(text + data + bss)) AS sized,
       toUInt64(ifNull(text + data + bss, 0)) AS bytes
FROM {database}.units FINAL
WHERE {in_span}
  [units: AND unit_hash IN (:units)]
