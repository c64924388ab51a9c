-- Panel: Swap by process name, all hosts
-- Sum over the last snapshot of each machine.
SELECT moment, name, sum(swap) AS total
FROM (
  SELECT name, swap, machine_hash, time, millisecond
  FROM $database.names$suffix FINAL
  WHERE {last_facts}
    AND swap > 0
) AS facts ALL INNER JOIN (
  {moments}
) AS states USING machine_hash, time, millisecond
GROUP BY moment, name
ORDER BY moment, name
