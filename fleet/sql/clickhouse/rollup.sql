-- Sums up one day of a shard, :day. Sums of the same day with a lower :version are replaced. A sum
-- of decimals does not wrap, and throwIf() ends the statement if it is too large. A condition must
-- not be NULL.
INSERT INTO {database}.machine_days
  (machine_hash, day, machine, host, snapshots, first_ns, last_ns, ledgers, version)
SELECT machine_hash, :day, any(machine), argMax(host, time_ns), count(), min(time_ns),
       max(time_ns), sum(has_ledger), :version
FROM {database}.snapshots FINAL
WHERE time >= toDateTime(:day) AND time < toDateTime(:day + 86400)
GROUP BY machine_hash;

INSERT INTO {database}.unit_days
  (unit_hash, machine_hash, day, snapshots, sized, bytes, min_bytes, max_bytes, first_ns, last_ns,
   alerts, version)
SELECT unit_hash, machine_hash, :day, count(), count(text),
       toUInt64(sum(toDecimal64(ifNull(text + data + bss, 0), 0)) AS sum_bytes)
         + throwIf(sum_bytes >= 9223372036854775807),
       min(text + data + bss), max(text + data + bss),
       min(toUInt64(toUInt32(time)) * 1000000000 + toUInt64(millisecond) * 1000000),
       max(toUInt64(toUInt32(time)) * 1000000000 + toUInt64(millisecond) * 1000000),
       sum(ifNull(alerts, 0)), :version
FROM {database}.units FINAL
WHERE {in_span}
GROUP BY unit_hash, machine_hash;

INSERT INTO {database}.ram_days
  (kind, name, machine_hash, day, snapshots, bytes, min_bytes, max_bytes, version)
SELECT 'class', class, machine_hash, :day, count(),
       toUInt64(sum(toDecimal64(bytes, 0)) AS of_day) + throwIf(of_day >= 9223372036854775807),
       min(bytes), max(bytes), :version
FROM {database}.classes FINAL
WHERE {in_span}
GROUP BY class, machine_hash;

INSERT INTO {database}.ram_days
  (kind, name, machine_hash, day, snapshots, bytes, min_bytes, max_bytes, version)
SELECT kind, name, machine_hash, :day, count(),
       toUInt64(sum(toDecimal64(bytes, 0)) AS of_day) + throwIf(of_day >= 9223372036854775807),
       min(bytes), max(bytes), :version
FROM {database}.caches FINAL
WHERE {in_span}
GROUP BY kind, name, machine_hash;
