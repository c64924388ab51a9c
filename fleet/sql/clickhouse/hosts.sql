-- Of the latest snapshot of each machine: machine, time_ns, kernel, release, ram_bytes,
-- mem_total, available, swap_total, swap_free, frames (bytes of frames that processes map),
-- alerts, uptime_ns. ClickHouse 18.16 joins only two tables at a time.
SELECT machine, time_ns, kernel, release, ram_bytes, mem_total, available, swap_total,
       swap_free, frame_bytes, alert_rows, uptime_ns
FROM (
  SELECT machine_hash, machine, time_ns, kernel, release, ram_bytes, mem_total, available,
         swap_total, swap_free, frame_bytes, uptime_ns
  FROM (
    SELECT machine_hash, machine, time_ns, kernel, release, ram_bytes, mem_total,
           available, swap_total, swap_free, uptime_ns
    FROM (
      SELECT machine_hash, machine, time_ns, kernel, release, ram_bytes, uptime_ns
      FROM {database}.snapshots{all} FINAL
      WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
        [machines: AND machine_hash IN (:machines)]
      ORDER BY machine_hash, time DESC, millisecond DESC
      LIMIT 1 BY machine_hash
    ) AS l ANY LEFT JOIN (
      SELECT machine_hash, max(if(counter = 'mem.MemTotal', value, NULL)) AS mem_total,
             max(if(counter = 'mem.MemAvailable', value, NULL)) AS available,
             max(if(counter = 'mem.SwapTotal', value, NULL)) AS swap_total,
             max(if(counter = 'mem.SwapFree', value, NULL)) AS swap_free
      FROM {database}.counters{all} FINAL
      WHERE counter IN ('mem.MemTotal', 'mem.MemAvailable', 'mem.SwapTotal', 'mem.SwapFree')
        AND (machine_hash, time, millisecond) IN ({latest})
      GROUP BY machine_hash
    ) AS r USING machine_hash
  ) AS l ANY LEFT JOIN (
    SELECT machine_hash, toUInt64(sum(toDecimal64(frames, 0)) AS of_regions)
             + throwIf(of_regions >= 9223372036854775807) AS frame_bytes
    FROM {database}.regions{all} FINAL
    WHERE (machine_hash, time, millisecond) IN ({latest})
    GROUP BY machine_hash
  ) AS r USING machine_hash
) AS l ANY LEFT JOIN (
  SELECT machine_hash, sum(alerts) AS alert_rows
  FROM {database}.units{all} FINAL
  WHERE (machine_hash, time, millisecond) IN ({latest})
  GROUP BY machine_hash
) AS r USING machine_hash
ORDER BY machine
