-- machine, time_ns, archive, alerts: snapshots that the archive has, by machine and time
SELECT machine, time_ns, archive, alert_rows
FROM (
  SELECT machine_hash, time, millisecond, machine, time_ns, archive
  FROM {database}.snapshots{all} FINAL
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before) AND archive <> ''
    [machines: AND machine_hash IN (:machines)]
) AS l ANY LEFT JOIN (
  SELECT machine_hash, time, millisecond, sum(alerts) AS alert_rows
  FROM {database}.units{all} FINAL
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
    AND (machine_hash, time, millisecond) IN (
      SELECT machine_hash, time, millisecond FROM {database}.snapshots
      WHERE time >= toDateTime(:since) AND time < toDateTime(:before) AND archive <> '')
    [machines: AND machine_hash IN (:machines)]
  GROUP BY machine_hash, time, millisecond
) AS r USING machine_hash, time, millisecond
ORDER BY machine, time, millisecond
