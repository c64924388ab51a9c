-- By machine, boot and run of numbers without a gap: machine, boot, snapshots, missing (numbers
-- between the run before and this one), series (they begin when a number is not above the one
-- before), lost (the growth of the machine's counter), first_ns, last_ns, and if numbers are
-- missing: first_missing, last_missing, before_ns, after_ns (times of the snapshots before and
-- after them). A run, a series and the counter may continue over boots. Within a boot the order is
-- by uptime, because a clock may be set back. Runs of a machine are in order. In the arrays a
-- number is one higher, and 0 is none.
SELECT machine, boot, count(), sum(if(is_after_gap, now - was - 1, 0)) AS missing,
       countIf(now > 0 AND (was = 0 OR now <= was)),
       sum(if(lost_now > lost_was, lost_now - lost_was, 0)), min(ns) AS first_ns, max(ns),
       if(missing = 0, NULL, max(if(is_after_gap, was, 0))),
       if(missing = 0, NULL, max(if(is_after_gap, now - 2, 0))),
       if(missing = 0, NULL, max(if(is_after_gap, ns_was, 0))),
       if(missing = 0, NULL, max(if(is_after_gap, ns, 0)))
FROM (
  SELECT machine, arrayMap(x -> x.5, rows) AS boots, arrayMap(x -> x.6, rows) AS numbers,
         arrayPopBack(arrayPushFront(numbers, toUInt64(0))) AS earlier,
         arrayMap((x, y) -> toUInt8(y > 0 AND x > y + 1), numbers, earlier) AS gaps,
         arrayCumSum(gaps) AS runs,
         arrayMap(x -> x.7, rows) AS losts,
         arrayPopBack(arrayPushFront(losts, arrayElement(losts, 1))) AS earlier_losts,
         arrayMap(x -> x.8, rows) AS times,
         arrayPopBack(arrayPushFront(times, toUInt64(0))) AS earlier_times
  FROM (
    SELECT machine, arraySort(groupArrayArray(of_boot)) AS rows
    FROM (
      SELECT machine, boot_id, max(time_ns) AS boot_ns,
             arrayMap(x -> tuple(boot_ns, x.1, x.2, x.3, x.4, x.5, x.6, x.7),
               groupArray(tuple(up, seconds, millisecond, boot_id, number, lost, time_ns)))
               AS of_boot
      FROM (
        SELECT machine, toUInt32(time) AS seconds, millisecond, boot AS boot_id, time_ns, lost,
               toUInt64(ifNull(sequence + 1, 0)) AS number,
               boot != '' AND isNotNull(uptime_ns) AS has_uptime,
               if(has_uptime, toUInt64(ifNull(uptime_ns, 0)), toUInt64(0)) AS up,
               if(has_uptime, toUInt64(0), time_ns) AS alone
        FROM {database}.snapshots{all} FINAL
        WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
          [machines: AND machine_hash IN (:machines)]
      )
      GROUP BY machine, boot_id, alone
    )
    GROUP BY machine
  )
)
ARRAY JOIN boots AS boot, numbers AS now, earlier AS was, gaps AS is_after_gap, runs AS run,
  losts AS lost_now, earlier_losts AS lost_was, times AS ns, earlier_times AS ns_was
GROUP BY machine, boot, run
ORDER BY machine, run, first_ns
