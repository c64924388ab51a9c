-- Part of questions: the whole days of the range whose sums have all snapshots. Each shard has days
-- of its own. Snapshots that are stored twice, and not merged yet, count twice here; then the facts
-- are read.
SELECT day FROM (
  SELECT day, of_sums, of_facts FROM (
    SELECT day, summed AS of_sums, toUInt64(0) AS of_facts FROM {database}.days FINAL
    UNION ALL
    SELECT intDiv(toUInt32(time), 86400) * 86400 AS day, toUInt64(0) AS of_sums,
           count() AS of_facts
    FROM {database}.snapshots
    WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
    GROUP BY day
  )
  WHERE day >= :since AND day + 86400 <= :before
)
GROUP BY day
HAVING sum(of_sums) > 0 AND sum(of_sums) >= sum(of_facts)
