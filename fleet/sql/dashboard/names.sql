-- Panel: Processes by command and cgroup
-- Sum over machines of the mean PSS on each; the largest RSS of one process.
SELECT name, cgroup, uniqExact(machine_hash) AS machines, sum(mean_pss) AS fleet_pss,
       max(most) AS max_rss_of_one
FROM (
  SELECT name, cgroup, machine_hash, avg(pss) AS mean_pss, max(max_rss) AS most
  FROM $database.names$suffix FINAL
  WHERE {facts}
  GROUP BY name, cgroup, machine_hash
)
GROUP BY name, cgroup
ORDER BY fleet_pss DESC, name, cgroup
LIMIT 50
