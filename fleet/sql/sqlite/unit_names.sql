-- unit
SELECT text FROM texts WHERE id IN (SELECT unit FROM units) ORDER BY text;
