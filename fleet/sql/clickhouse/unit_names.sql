-- unit
SELECT DISTINCT unit FROM (
  SELECT unit FROM {database}.units{all}
  UNION ALL
  SELECT unit FROM {database}.unit_days{all}
)
ORDER BY unit
