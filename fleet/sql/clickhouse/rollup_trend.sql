-- Sums up the trend of each unit on one day, :day, of all shards.
INSERT INTO {database}.trend_days
  (unit_hash, day, machines, snapshots, bytes, min_bytes, p50, p99, max_bytes)
SELECT unit_hash, :day, uniqExact(machine_hash), count(),
       toUInt64(sum(toDecimal64(size, 0)) AS all_bytes) + throwIf(all_bytes >= 9223372036854775807),
       min(size),
       arrayElement(arraySort(groupArray(size)), intDiv(count() * 50 + 99, 100)),
       arrayElement(arraySort(groupArray(size)), intDiv(count() * 99 + 99, 100)), max(size)
FROM (
  SELECT unit_hash, machine_hash, assumeNotNull(text + data + bss) AS size
  FROM {database}.units{all} FINAL
  WHERE {in_span} AND text IS NOT NULL
)
GROUP BY unit_hash;
