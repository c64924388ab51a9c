-- machine, host (the latest name), time_ns (of the latest snapshot), of machines with snapshots at
-- :since or later
SELECT machine, argMax(host, time_ns), max(time_ns)
FROM {database}.snapshots{all}
WHERE time >= toDateTime(:since)
GROUP BY machine
ORDER BY machine
