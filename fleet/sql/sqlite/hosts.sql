-- Of the latest snapshot of each machine: machine, time_ns, kernel, release, ram_bytes,
-- mem_total, available, swap_total, swap_free, frames (bytes of frames that processes map),
-- alerts, uptime_ns.
WITH latest AS (
  SELECT *, row_number() OVER (PARTITION BY machine ORDER BY time DESC, millisecond DESC) AS place
  FROM snapshots
  WHERE time >= :since AND time < :before
    AND (:machines IS NULL OR machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
),
counted AS (
  SELECT s.id, t.text AS counter, c.value
  FROM latest s CROSS JOIN counters c JOIN texts t ON t.id = c.counter
  WHERE s.place = 1 AND c.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
    AND t.text IN ('mem.MemTotal', 'mem.MemAvailable', 'mem.SwapTotal', 'mem.SwapFree')
),
chosen AS (
  SELECT id, max(CASE counter WHEN 'mem.MemTotal' THEN value END) AS mem_total,
         max(CASE counter WHEN 'mem.MemAvailable' THEN value END) AS available,
         max(CASE counter WHEN 'mem.SwapTotal' THEN value END) AS swap_total,
         max(CASE counter WHEN 'mem.SwapFree' THEN value END) AS swap_free
  FROM counted GROUP BY id
)
SELECT m.machine, s.time_ns, k.text, r.text, s.ram_bytes,
       c.mem_total, c.available, c.swap_total, c.swap_free,
       (SELECT sum(frames) FROM regions
        WHERE id BETWEEN s.id << 16 AND (s.id << 16) + 65535),
       (SELECT sum(alerts) FROM units WHERE id BETWEEN s.id << 16 AND (s.id << 16) + 65535),
       s.uptime_ns
FROM latest s JOIN machines m ON m.id = s.machine JOIN texts k ON k.id = s.kernel
  JOIN texts r ON r.id = s.release
  LEFT JOIN chosen c ON c.id = s.id
WHERE s.place = 1
ORDER BY m.machine;
