-- unit: the units of snapshots and of alerts
SELECT DISTINCT unit FROM {database}.unit_names{all}
WHERE unit_hash IN (
  SELECT unit_hash FROM {database}.units WHERE {in_span}
  UNION ALL
  SELECT unit_hash FROM {database}.alerts WHERE {in_span}
  UNION ALL
  SELECT unit_hash FROM {database}.unit_days
  WHERE day >= :since AND day + 86400 <= :before)
ORDER BY unit
