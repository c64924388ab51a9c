-- machine, host (the latest name), snapshots, first_ns, last_ns, ledgers (snapshots that have the
-- whole of RAM)
--: rows
SELECT machine, argMax(host, last_ns), sum(snapshots), min(first_ns), max(last_ns), sum(ledgers)
FROM (
  {facts}
  UNION ALL
  SELECT machine, host, snapshots, first_ns, last_ns, ledgers
  FROM {database}.machine_days{all} FINAL
  WHERE day IN (:summed_days)
    [machines: AND machine_hash IN (:machines)]
)
GROUP BY machine
ORDER BY machine
--: facts
SELECT machine, host, toUInt64(1) AS snapshots, time_ns AS first_ns, time_ns AS last_ns,
       toUInt64(has_ledger) AS ledgers
FROM {database}.snapshots{all} FINAL
WHERE time >= toDateTime(:first) AND time < toDateTime(:end)
  [machines: AND machine_hash IN (:machines)]
