-- The other statements. A line "--: NAME" begins each. C++ replaces {database}, {table}, {columns}
-- and {format}; {all} by _all if the store has a cluster, otherwise by nothing; parameters that
-- begin with : by literals.
--: shards
SELECT uniq(shard_num) FROM system.clusters WHERE cluster = :cluster
--: own_shard
SELECT DISTINCT shard_num FROM system.clusters WHERE cluster = :cluster AND is_local
--: tables
SELECT count() FROM system.tables WHERE database = :database AND name IN (:tables)
--: version
SELECT max(version) FROM {database}.store
--: mark
INSERT INTO {database}.store (version) FORMAT TabSeparated
--: shard
SELECT DISTINCT number, shards FROM {database}.shard
--: mark_shard
INSERT INTO {database}.shard (number, shards) FORMAT TabSeparated
--: add
INSERT INTO {database}.{table} ({columns}) FORMAT {format}
--: known
-- :hashes and :numbers of these two statements are texts, of numbers with commas between them: a
-- server takes 4.4 s of CPU time to look up 100,000 snapshots by a list of literals, and 1.2 s so.
SELECT DISTINCT lower(hex(key)) FROM {database}.snapshots
WHERE key_hash IN (SELECT toUInt64(arrayJoin(splitByChar(',', :hashes))))
--: stored
SELECT DISTINCT lower(hex(key)), machine_hash, toUInt32(time), millisecond FROM {database}.snapshots
WHERE time >= toDateTime(:first) AND time <= toDateTime(:last)
  AND (key_hash IN (SELECT toUInt64(arrayJoin(splitByChar(',', :hashes))))
    OR bitXor(machine_hash, toUInt64(toUInt32(time)) * 1000 + millisecond) IN (
      SELECT toUInt64(arrayJoin(splitByChar(',', :numbers)))))
--: remove
ALTER TABLE {database}.{table} DELETE
WHERE time >= toDateTime(:first) AND time <= toDateTime(:last)
  AND (machine_hash, toUInt32(time), millisecond) IN (:places)
--: days_of_machines
-- Days whose facts or sums have snapshots of the machines, in any part of the day
SELECT DISTINCT day FROM (
  SELECT intDiv(toUInt32(time), 86400) * 86400 AS day FROM {database}.snapshots
  WHERE time >= toDateTime(:since) AND time <= toDateTime(:last) AND machine_hash IN (:machines)
  UNION ALL
  SELECT toUInt32(day) AS day FROM {database}.machine_days
  WHERE day + 86400 > :since AND day <= :last AND machine_hash IN (:machines)
)
WHERE day >= :expired
--: remove_machines
ALTER TABLE {database}.{table} DELETE
WHERE time >= toDateTime(:since) AND time <= toDateTime(:last) AND machine_hash IN (:machines)
--: remove_without_line
-- Facts whose snapshot is not in `snapshots`
ALTER TABLE {database}.{table} DELETE
WHERE time >= toDateTime(:since) AND time <= toDateTime(:last) AND machine_hash IN (:machines)
  AND bitXor(machine_hash, toUInt64(toUInt32(time)) * 1000 + millisecond) NOT IN (
    SELECT bitXor(machine_hash, toUInt64(toUInt32(time)) * 1000 + millisecond)
    FROM {database}.snapshots
    WHERE time >= toDateTime(:since) AND time <= toDateTime(:last) AND machine_hash IN (:machines))
--: remove_sums_of_machines
ALTER TABLE {database}.{table} DELETE
WHERE day >= :since AND day + 86400 <= :last + 1 AND day < :expired AND machine_hash IN (:machines)
--: remove_days
ALTER TABLE {database}.{table} DELETE WHERE day IN (:days)
--: running_mutations
SELECT count() FROM system.mutations
WHERE database = :database AND table IN (:tables) AND NOT is_done
--: last_mutations
-- A number that grows with each removal of rows of the tables
SELECT sum(number) FROM (
  SELECT table, max(toUInt64OrZero(extract(mutation_id, '[0-9]+'))) AS number FROM system.mutations
  WHERE database = :database AND table IN (:tables)
  GROUP BY table
)
--: days_of_keys
SELECT DISTINCT intDiv(toUInt32(time), 86400) * 86400 AS day FROM {database}.snapshots
WHERE key_hash IN (:hashes)
ORDER BY day
--: days_of_kept
SELECT DISTINCT intDiv(toUInt32(time), 86400) * 86400 AS day FROM {database}.snapshots
WHERE time < toDateTime(:before) AND archive <> ''
ORDER BY day
--: set_kept
INSERT INTO {database}.snapshots (
  machine_hash, time, millisecond, key_hash, key, machine, host, boot, kernel, arch, collector,
  release, archive, time_ns, uptime_ns, sequence, page_size, ram_bytes, has_pages, has_ledger, lost)
SELECT machine_hash, time, millisecond, key_hash, key, machine, host, boot, kernel, arch, collector,
  release, transform(lower(hex(key)), array(:keys), array(:archives), archive), time_ns, uptime_ns,
  sequence, page_size, ram_bytes, has_pages, has_ledger, lost
FROM {database}.snapshots FINAL
WHERE time >= toDateTime(:first) AND time < toDateTime(:end)
  AND key_hash IN (:hashes) AND lower(hex(key)) IN (:keys)
--: forget_kept
INSERT INTO {database}.snapshots (
  machine_hash, time, millisecond, key_hash, key, machine, host, boot, kernel, arch, collector,
  release, archive, time_ns, uptime_ns, sequence, page_size, ram_bytes, has_pages, has_ledger, lost)
SELECT machine_hash, time, millisecond, key_hash, key, machine, host, boot, kernel, arch, collector,
  release, '', time_ns, uptime_ns, sequence, page_size, ram_bytes, has_pages, has_ledger, lost
FROM {database}.snapshots FINAL
WHERE time >= toDateTime(:first) AND time < toDateTime(:end) AND time < toDateTime(:before)
  AND archive <> ''
--: days_to_sum
SELECT day, raw FROM (
  SELECT day, sum(of_sums) AS summed, sum(of_facts) AS raw FROM (
    SELECT day, summed AS of_sums, toUInt64(0) AS of_facts FROM {database}.days FINAL
    UNION ALL
    SELECT intDiv(toUInt32(time), 86400) * 86400 AS day, toUInt64(0) AS of_sums,
           count() AS of_facts
    FROM {database}.snapshots FINAL
    WHERE time < toDateTime(:before) GROUP BY day
  ) GROUP BY day
) WHERE raw > summed
ORDER BY day
--: in_span
-- Of facts that a question reads: seconds of :first to :end, and the snapshot is stored. One number
-- stands for machine, second and millisecond, because the server finds it four times as fast. That
-- two snapshots have the same is as unlikely as that two machines have the same hash.
time >= toDateTime(:first) AND time < toDateTime(:end)
  AND bitXor(machine_hash, toUInt64(toUInt32(time)) * 1000 + millisecond) IN (
    SELECT bitXor(machine_hash, toUInt64(toUInt32(time)) * 1000 + millisecond)
    FROM {database}.snapshots
    WHERE time >= toDateTime(:first) AND time < toDateTime(:end))
  [machines: AND machine_hash IN (:machines)]
--: days
SELECT day, sum(of_sums), sum(of_facts) FROM (
  SELECT day, summed AS of_sums, toUInt64(0) AS of_facts FROM {database}.days FINAL
  WHERE day + 86400 > :since AND day < :before
  UNION ALL
  SELECT intDiv(toUInt32(time), 86400) * 86400 AS day, toUInt64(0) AS of_sums,
         count() AS of_facts
  FROM {database}.snapshots FINAL
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
  GROUP BY day
)
GROUP BY day
ORDER BY day
--: days_of_facts
SELECT DISTINCT intDiv(toUInt32(time), 86400) * 86400 AS day FROM {database}.snapshots{all}
WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
ORDER BY day
--: expired_before
SELECT max(before) FROM {database}.expired
--: set_expired
INSERT INTO {database}.expired (before) FORMAT TabSeparated
--: merge_snapshots
OPTIMIZE TABLE {database}.snapshots PARTITION :partition FINAL
--: mark_day
INSERT INTO {database}.days (day, summed, version) FORMAT TabSeparated
--: old_snapshots
SELECT count() FROM {database}.snapshots{all} FINAL WHERE time < toDateTime(:before)
--: old_partitions
SELECT DISTINCT table, partition FROM system.parts
WHERE active AND database = :database AND table IN (:tables) AND match(partition, '^[0-9]+$')
  AND toUInt32OrZero(partition) < toYYYYMMDD(toDateTime(:before), 'UTC')
ORDER BY table = 'snapshots' DESC, table, partition
--: drop_partition
ALTER TABLE {database}.{table} DROP PARTITION :partition
