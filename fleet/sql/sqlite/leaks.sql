-- Memory that processes of one name in one cgroup have to themselves and in swap. The store
-- asks it of each machine, and groups the facts that take() gets.
--: facts
-- name, cgroup, time, t = time - base, bytes
SELECT take(f.name, f.cgroup, s.time, s.time - :base, coalesce(f.uss, f.rss) + f.swap)
FROM snapshots s CROSS JOIN names f
WHERE s.machine = :machine AND s.time >= :since AND s.time < :before
  AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
  AND f.rss IS NOT NULL AND f.swap IS NOT NULL;
