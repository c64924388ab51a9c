-- Panel: RAM by class, all hosts
-- Sum over the last snapshot of each machine.
SELECT moment, class, sum(bytes) AS total
FROM (
  SELECT class, bytes, machine_hash, time, millisecond
  FROM $database.classes$suffix FINAL
  WHERE {last_facts}
) AS facts ALL INNER JOIN (
  {moments}
) AS states USING machine_hash, time, millisecond
GROUP BY moment, class
ORDER BY moment, class
