-- Sums for a line through the bytes that processes of one name in one control group have to
-- themselves and in swap: machine, name, cgroup, n, first (s), last, min_bytes, max_bytes, and with
-- t = time - base, x = bytes and k = x / 1024 the sums t, tt_high (of t * (t >> 12)), tt_low (of
-- t * (t & 4095)), x, tx_high (of t * (x >> 20)), tx_low (of t * (x & 1048575)), k, kk_high (of
-- k * (k >> 10)), kk_low (of k * (k & 1023)). In parts, so that they are exact.
SELECT m.machine, n.text, c.text, q.n, q.first, q.last, q.min_bytes, q.max_bytes,
       q.t, q.tt_high, q.tt_low, q.x, q.tx_high, q.tx_low, q.k, q.kk_high, q.kk_low
FROM (
  SELECT machine, name, cgroup, count(*) AS n, min(time) AS first, max(time) AS last,
         min(x) AS min_bytes, max(x) AS max_bytes,
         sum(t) AS t, sum(t * (t >> 12)) AS tt_high, sum(t * (t & 4095)) AS tt_low,
         sum(x) AS x, sum(t * (x >> 20)) AS tx_high, sum(t * (x & 1048575)) AS tx_low,
         sum(x >> 10) AS k, sum((x >> 10) * (x >> 20)) AS kk_high,
         sum((x >> 10) * ((x >> 10) & 1023)) AS kk_low
  FROM (
    SELECT s.machine, f.name, f.cgroup, s.time, s.time - :base AS t,
           coalesce(f.uss, f.rss) + f.swap AS x
    FROM snapshots s CROSS JOIN names f
    WHERE s.time >= :since AND s.time < :before
      AND (:machines IS NULL OR s.machine IN (
        SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
      AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
      AND f.rss IS NOT NULL
  )
  GROUP BY machine, name, cgroup
  HAVING count(*) >= 3 AND max(time) > min(time) AND max(x) > min(x)
) q JOIN machines m ON m.id = q.machine JOIN texts n ON n.id = q.name
  JOIN texts c ON c.id = q.cgroup;
