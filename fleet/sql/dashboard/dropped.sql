-- Panel: Reports that hosts dropped
-- The growth of the counter of each machine, as fleet/sql/clickhouse/gaps.sql has it: boots in the
-- order of their latest snapshot, and within a boot by uptime, because a clock may be set back. A
-- snapshot without boot or uptime is a boot of its own. In `reports`: when the boot ended, uptime,
-- second, millisecond, counter. The inner tuple has time_ns because ClickHouse 18.16 would take the
-- column for unused.
SELECT sum(arraySum((x, y) -> if(x > y, x - y, 0), losts, earlier)) AS lost
FROM (
  SELECT arrayMap(x -> x.5, arraySort(groupArrayArray(reports))) AS losts,
         arrayPopBack(arrayPushFront(losts, arrayElement(losts, 1))) AS earlier
  FROM (
    SELECT machine_hash, max(time_ns) AS boot_ns,
           arrayMap(x -> tuple(boot_ns, x.1, x.2, x.3, x.4),
             groupArray(tuple(up, seconds, millisecond, lost, time_ns))) AS reports
    FROM (
      SELECT machine_hash, boot, time_ns, toUInt32(time) AS seconds, millisecond, lost,
             boot != '' AND isNotNull(uptime_ns) AS has_uptime,
             if(has_uptime, toUInt64(ifNull(uptime_ns, 0)), toUInt64(0)) AS up,
             if(has_uptime, toUInt64(0), time_ns) AS alone
      FROM $database.snapshots$suffix FINAL
      WHERE $__timeFilter(time)
        AND {hosts}
    )
    GROUP BY machine_hash, boot, alone
  )
  GROUP BY machine_hash
)
