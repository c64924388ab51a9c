-- Panel: Swap by command: the 20 largest
-- Sum over the last snapshot of each machine. The largest in all moments together.
SELECT point.1 AS moment, name, point.2 AS total
FROM (
  SELECT name, groupArray(tuple(moment, sum_of_moment)) AS points
  FROM (
    SELECT moment, name, sum(swap) AS sum_of_moment
    FROM (
      SELECT name, swap, machine_hash, time, millisecond
      FROM $database.names$suffix FINAL
      WHERE {last_facts}
        AND swap > 0
    ) AS facts ALL INNER JOIN (
      {moments}
    ) AS states USING machine_hash, time, millisecond
    GROUP BY moment, name
  )
  GROUP BY name
  ORDER BY sum(sum_of_moment) DESC, name
  LIMIT 20
)
ARRAY JOIN points AS point
ORDER BY moment, name
