-- Panel: Hosts that report
-- At each moment, the machines with a snapshot in the $window before it. Moments until now without
-- one have 0.
SELECT moment, sum(reports) AS machines
FROM (
  SELECT moment, count() AS reports
  FROM (
    {moments}
  )
  GROUP BY moment
  UNION ALL
  SELECT arrayJoin(arrayMap(x -> toDateTime((x + first) * $__interval_s),
           range(toUInt64(greatest(last - first + 1, 0))))) AS moment, toUInt64(0) AS reports
  FROM (
    SELECT toInt64(intDiv(${__from:date:seconds} + $__interval_s - 1, $__interval_s)) AS first,
           toInt64(intDiv(least(${__to:date:seconds}, toUInt32(now())), $__interval_s)) AS last
  )
)
GROUP BY moment
ORDER BY moment
