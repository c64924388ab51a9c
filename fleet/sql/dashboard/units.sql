-- Panel: What executable units cost all hosts
-- Sum over machines of the mean size on each; the largest in one snapshot. The empty unit is
-- memory without a file.
SELECT if(path = '', 'NULL', path) AS unit, machines, fleet_bytes, max_bytes
FROM (
  SELECT unit_hash, uniqExact(machine_hash) AS machines, sum(mean) AS fleet_bytes,
         max(most) AS max_bytes
  FROM (
    SELECT unit_hash, machine_hash, avg(text + data + bss) AS mean,
           max(text + data + bss) AS most
    FROM $database.units$suffix FINAL
    WHERE {facts}
    GROUP BY unit_hash, machine_hash
  )
  GROUP BY unit_hash
) AS units ALL INNER JOIN (
  SELECT unit_hash, any(unit) AS path FROM $database.unit_names$suffix GROUP BY unit_hash
) AS names USING unit_hash
ORDER BY fleet_bytes DESC, unit
LIMIT 50
