-- unit: those of snapshots and of alerts
SELECT DISTINCT unit FROM (
  SELECT unit FROM {database}.units{all}
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
  UNION ALL
  SELECT unit FROM {database}.alerts{all}
  WHERE time >= toDateTime(:since) AND time < toDateTime(:before)
  UNION ALL
  SELECT unit FROM {database}.unit_days{all}
  WHERE day >= :since AND day + 86400 <= :before
)
ORDER BY unit
