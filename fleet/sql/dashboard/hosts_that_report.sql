-- Panel: Hosts that report
-- At each moment, the machines with a snapshot in the $window before it.
SELECT moment, count() AS machines
FROM (
  {moments}
)
GROUP BY moment
ORDER BY moment
