-- kind (class, slab, file system), name, machine, snapshots, bytes, min_bytes, max_bytes; in any
-- order, and a name and machine may occur more than once. Each shard answers for its machines.
--: rows
SELECT kind, name, machine, snapshots, sum_bytes, min_bytes, max_bytes
FROM (
  SELECT kind, name, machine_hash, count() AS snapshots,
         toUInt64(sum(toDecimal64(bytes, 0)) AS of_facts)
           + throwIf(of_facts >= 9223372036854775807) AS sum_bytes,
         min(bytes) AS min_bytes, max(bytes) AS max_bytes
  FROM ({facts})
  GROUP BY kind, name, machine_hash
  UNION ALL
  SELECT kind, name, machine_hash, sum(snapshots),
         toUInt64(sum(toDecimal64(bytes, 0)) AS of_days) + throwIf(of_days >= 9223372036854775807),
         min(min_bytes), max(max_bytes)
  FROM {database}.ram_days FINAL
  WHERE day IN (:summed_days)
    [machines: AND machine_hash IN (:machines)]
  GROUP BY kind, name, machine_hash
) AS l ALL INNER JOIN (
  SELECT machine_hash, any(machine) AS machine FROM {database}.machines GROUP BY machine_hash
) AS r USING machine_hash
--: facts
SELECT 'class' AS kind, class AS name, machine_hash, bytes
FROM {database}.classes FINAL
WHERE {in_span}
UNION ALL
SELECT kind, name, machine_hash, bytes
FROM {database}.caches FINAL
WHERE {in_span}
