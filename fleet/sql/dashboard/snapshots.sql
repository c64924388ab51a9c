-- Panel: Snapshots
-- In the time range. FINAL: those that were sent twice count once.
SELECT count() AS snapshots
FROM $database.snapshots$suffix FINAL
WHERE $__timeFilter(time)
  AND {hosts}
