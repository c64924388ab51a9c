-- Panel: Hosts
-- Those with a snapshot in the time range.
SELECT uniqExact(machine_hash) AS machines
FROM $database.snapshots$suffix
WHERE $__timeFilter(time)
  AND {hosts}
