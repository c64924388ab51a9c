-- machine, time_ns, archive: of each machine, the latest snapshot that the archive has
SELECT machine, time_ns, archive
FROM (
  SELECT machine_hash, machine, time, millisecond, time_ns, archive
  FROM {database}.snapshots{all} FINAL
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before) AND archive <> ''
    [machines: AND machine_hash IN (:machines)]
  ORDER BY machine_hash, time DESC, millisecond DESC
  LIMIT 1 BY machine_hash
)
ORDER BY machine
