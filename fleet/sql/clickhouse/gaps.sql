-- By machine and boot: machine, boot, snapshots, missing (numbers that a series skips), series
-- (they begin when a number is not above the one before), lost (the growth of the machine's
-- counter), first_ns, last_ns. A series and the counter may continue over boots. In the arrays a
-- number is one higher, and 0 is none.
SELECT machine, boot, count(), sum(if(was > 0 AND now > was, now - was - 1, 0)),
       countIf(now > 0 AND (was = 0 OR now <= was)),
       sum(if(lost_now > lost_was, lost_now - lost_was, 0)), min(ns) AS first_ns, max(ns)
FROM (
  SELECT machine, arrayMap(x -> x.3, rows) AS boots, arrayMap(x -> x.4, rows) AS numbers,
         arrayPopBack(arrayPushFront(numbers, toUInt64(0))) AS earlier,
         arrayMap(x -> x.5, rows) AS losts,
         arrayPopBack(arrayPushFront(losts, arrayElement(losts, 1))) AS earlier_losts,
         arrayMap(x -> x.6, rows) AS times
  FROM (
    SELECT machine, arraySort(groupArray(tuple(toUInt32(time), millisecond, boot,
             toUInt64(ifNull(sequence + 1, 0)), lost, time_ns))) AS rows
    FROM {database}.snapshots{all} FINAL
    WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
      [machines: AND machine_hash IN (:machines)]
    GROUP BY machine
  )
)
ARRAY JOIN boots AS boot, numbers AS now, earlier AS was, losts AS lost_now,
  earlier_losts AS lost_was, times AS ns
GROUP BY machine, boot
ORDER BY machine, first_ns
