-- Sums for a line through the bytes that processes of one name in one cgroup have to
-- themselves and in swap, of three snapshots or more: machine, name, cgroup, n, first (s), last,
-- min_bytes, max_bytes, and with t = time - base, x = bytes and k = x / 1024 the sums t, tt_high
-- (of t * (t >> 12)), tt_low (of t * (t & 4095)), x, tx_high (of t * (x >> 20)), tx_low (of
-- t * (x & 1048575)), k, kk_high (of k * (k >> 26)), kk_middle (of k * (k >> 13 & 8191)), kk_low
-- (of k * (k & 8191)). In parts, so that they are exact: for 64 TiB in each of the 25,920 snapshots
-- of 90 days, each is below 2^64. Each shard answers for its machines.
SELECT machine, name, cgroup, n, first, last, min_bytes, max_bytes,
       sum_t, tt_high, tt_low, sum_x, tx_high, tx_low, sum_k, kk_high, kk_middle, kk_low
FROM (
  SELECT machine_hash, name, cgroup, count() AS n, min(second) AS first, max(second) AS last,
         min(x) AS min_bytes, max(x) AS max_bytes,
         sum(t) AS sum_t, sum(t * bitShiftRight(t, 12)) AS tt_high,
         sum(t * bitAnd(t, 4095)) AS tt_low,
         sum(x) AS sum_x, sum(t * bitShiftRight(x, 20)) AS tx_high,
         sum(t * bitAnd(x, 1048575)) AS tx_low,
         sum(bitShiftRight(x, 10)) AS sum_k,
         sum(bitShiftRight(x, 10) * bitShiftRight(x, 36)) AS kk_high,
         sum(bitShiftRight(x, 10) * bitAnd(bitShiftRight(x, 23), 8191)) AS kk_middle,
         sum(bitShiftRight(x, 10) * bitAnd(bitShiftRight(x, 10), 8191)) AS kk_low
  FROM (
    SELECT machine_hash, name, cgroup, toUInt64(toUInt32(time)) AS second,
           toUInt64(toUInt32(time) - :base) AS t, ifNull(uss, assumeNotNull(rss)) + swap AS x
    FROM {database}.names FINAL
    WHERE {in_span} AND rss IS NOT NULL AND swap IS NOT NULL
  )
  GROUP BY machine_hash, name, cgroup
  HAVING n >= 3
) AS l ALL INNER JOIN (
  SELECT machine_hash, any(machine) AS machine FROM {database}.machines GROUP BY machine_hash
) AS r USING machine_hash
