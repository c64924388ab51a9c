-- Panel: Latest snapshot of each host
SELECT host, machine, toDateTime(intDiv(time_ns, 1000000000)) AS taken, kernel, release, ram_bytes,
       archive
FROM (
  SELECT * FROM $database.snapshots$suffix FINAL
  WHERE $__timeFilter(time)
    AND {hosts}
  ORDER BY time DESC, millisecond DESC
  LIMIT 1 BY machine_hash
)
ORDER BY host, machine
