-- Panel: Alerts in latest snapshots
-- Sum over the latest snapshot of each machine in the time range.
SELECT ifNull(sum(alerts), 0) AS total
FROM $database.units$suffix FINAL
WHERE $__timeFilter(time)
  AND (machine_hash, time, millisecond) IN (
    SELECT machine_hash, time, millisecond FROM $database.snapshots
    WHERE $__timeFilter(time)
      AND {hosts}
    ORDER BY machine_hash, time DESC, millisecond DESC
    LIMIT 1 BY machine_hash)
