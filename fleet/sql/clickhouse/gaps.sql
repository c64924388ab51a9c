-- By machine and boot: machine, boot, snapshots, missing (numbers that a series skips), series
-- (they begin when a number is not above the one before), lost, first_ns, last_ns. In the arrays a
-- number is one higher, and 0 is none.
SELECT machine, boot, snapshots,
       arraySum(arrayMap((now, was) -> if(was > 0 AND now > was, now - was - 1, 0),
                         numbers, arrayPopBack(arrayPushFront(numbers, toUInt64(0))))),
       arrayCount((now, was) -> now > 0 AND (was = 0 OR now <= was),
                  numbers, arrayPopBack(arrayPushFront(numbers, toUInt64(0)))),
       all_lost, first_ns, last_ns
FROM (
  SELECT machine, boot, count() AS snapshots,
         arrayMap(x -> x.3, arraySort(groupArray(tuple(
           toUInt32(time), millisecond, toUInt64(ifNull(sequence + 1, 0)))))) AS numbers,
         sum(lost) AS all_lost, min(time_ns) AS first_ns, max(time_ns) AS last_ns
  FROM {database}.snapshots{all} FINAL
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
    [machines: AND machine_hash IN (:machines)]
  GROUP BY machine, boot
)
ORDER BY machine, first_ns
