-- machine, host (the latest name), snapshots, first_ns, last_ns, ledgers (snapshots that have the
-- whole of RAM)
SELECT machine, argMax(host, time_ns), count(), min(time_ns), max(time_ns), sum(has_ledger)
FROM {database}.snapshots{all} FINAL
WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
  [machines: AND machine_hash IN (:machines)]
GROUP BY machine
ORDER BY machine
