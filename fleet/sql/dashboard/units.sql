-- Panel: What executable units cost all hosts
-- Sum over machines of the mean size on each; the largest in one snapshot. The empty unit is
-- memory without a file.
SELECT if(path = '', 'NULL', path) AS unit, uniqExact(machine_hash) AS machines,
       sum(mean) AS fleet_bytes, max(most) AS max_bytes
FROM (
  SELECT unit AS path, machine_hash, avg(text + data + bss) AS mean,
         max(text + data + bss) AS most
  FROM $database.units$suffix FINAL
  WHERE {facts}
  GROUP BY path, machine_hash
)
GROUP BY path
ORDER BY fleet_bytes DESC, unit
LIMIT 50
