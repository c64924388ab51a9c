-- unit, machine, snapshots, sized (snapshots whose sizes are known), bytes, min_bytes, max_bytes
-- (of these), first_ns, last_ns, alerts; in any order. Each shard answers for its machines.
--: rows
SELECT unit, machine, snapshots, sized, bytes, min_bytes, max_bytes, first_ns, last_ns, alert_rows
FROM (
  SELECT unit_hash, machine, snapshots, sized, bytes, min_bytes, max_bytes, first_ns, last_ns,
         alert_rows
  FROM (
    SELECT unit_hash, machine_hash, count() AS snapshots, count(size) AS sized,
           toUInt64(sum(toDecimal64(ifNull(size, 0), 0)) AS of_facts)
             + throwIf(of_facts >= 9223372036854775807) AS bytes,
           min(size) AS min_bytes, max(size) AS max_bytes,
           min(toUInt64(toUInt32(time)) * 1000000000 + toUInt64(millisecond) * 1000000) AS first_ns,
           max(toUInt64(toUInt32(time)) * 1000000000 + toUInt64(millisecond) * 1000000) AS last_ns,
           sum(ifNull(alerts, 0)) AS alert_rows
    FROM ({facts})
    GROUP BY unit_hash, machine_hash
    UNION ALL
    SELECT unit_hash, machine_hash, sum(snapshots), sum(sized),
           toUInt64(sum(toDecimal64(bytes, 0)) AS of_days)
             + throwIf(of_days >= 9223372036854775807),
           min(min_bytes), max(max_bytes), min(first_ns), max(last_ns), sum(alerts)
    FROM {database}.unit_days FINAL
    WHERE day IN (:summed_days)
      [machines: AND machine_hash IN (:machines)]
      [units: AND unit_hash IN (:units)]
    GROUP BY unit_hash, machine_hash
  ) AS l ALL INNER JOIN (
    SELECT machine_hash, any(machine) AS machine FROM {database}.machines GROUP BY machine_hash
  ) AS r USING machine_hash
) AS l ALL INNER JOIN (
  SELECT unit_hash, any(unit) AS unit FROM {database}.unit_names GROUP BY unit_hash
) AS r USING unit_hash
--: facts
SELECT unit_hash, machine_hash, time, millisecond, text + data + bss AS size, alerts
FROM {database}.units FINAL
WHERE {in_span}
  [units: AND unit_hash IN (:units)]
