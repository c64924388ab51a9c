-- Part of questions: the key of the latest snapshot of each machine.
SELECT machine_hash, time, millisecond FROM {database}.snapshots
WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
  [machines: AND machine_hash IN (:machines)]
ORDER BY machine_hash, time DESC, millisecond DESC
LIMIT 1 BY machine_hash
