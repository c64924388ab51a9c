-- Variable: suffix
-- Of the names of tables: a cluster has tables whose names end in _all.
SELECT if(count() = 0, '/**/', '_all') AS value,
       if(count() = 0, 'one server', 'a cluster') AS text
FROM system.tables
WHERE database = '$database' AND name = 'snapshots_all'
