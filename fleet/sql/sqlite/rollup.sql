-- Sums up one day, :day. Sums of the same day are replaced.
DELETE FROM machine_days WHERE day = :day;
DELETE FROM unit_days WHERE day = :day;
DELETE FROM ram_days WHERE day = :day;
DELETE FROM trend_days WHERE day = :day;
INSERT INTO machine_days
SELECT :day, s.machine,
       (SELECT l.host FROM snapshots l
        WHERE l.machine = s.machine AND l.time >= :day AND l.time < :day + 86400
        ORDER BY l.time DESC, l.millisecond DESC LIMIT 1),
       count(*), min(s.time_ns), max(s.time_ns), sum(s.has_ledger)
FROM snapshots s WHERE s.time >= :day AND s.time < :day + 86400
GROUP BY s.machine;
INSERT INTO unit_days
SELECT :day, f.unit, s.machine, count(*), count(f.text),
       coalesce(sum(f.text + f.data + f.bss), 0), min(f.text + f.data + f.bss),
       max(f.text + f.data + f.bss), min(s.time_ns), max(s.time_ns), sum(f.alerts)
FROM snapshots s CROSS JOIN units f
WHERE s.time >= :day AND s.time < :day + 86400
  AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
GROUP BY s.machine, f.unit;  -- the order of the key, so that rows are appended
INSERT INTO ram_days
SELECT :day, 'class', f.class, s.machine, count(*), sum(f.bytes), min(f.bytes), max(f.bytes)
FROM snapshots s CROSS JOIN classes f
WHERE s.time >= :day AND s.time < :day + 86400
  AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
GROUP BY f.class, s.machine;
INSERT INTO ram_days
SELECT :day, k.text, f.name, s.machine, count(*), sum(f.bytes), min(f.bytes), max(f.bytes)
FROM snapshots s CROSS JOIN caches f JOIN texts k ON k.id = f.kind
WHERE s.time >= :day AND s.time < :day + 86400
  AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
GROUP BY f.kind, f.name, s.machine;
INSERT INTO trend_days
SELECT :day, unit, count(DISTINCT machine), count(*), sum(bytes), min(bytes),
       max(CASE WHEN place = (n * 50 + 99) / 100 THEN bytes END),
       max(CASE WHEN place = (n * 99 + 99) / 100 THEN bytes END), max(bytes)
FROM (
  SELECT f.unit, s.machine, f.text + f.data + f.bss AS bytes,
         row_number() OVER (PARTITION BY f.unit ORDER BY f.text + f.data + f.bss) AS place,
         count(*) OVER (PARTITION BY f.unit) AS n
  FROM snapshots s CROSS JOIN units f
  WHERE s.time >= :day AND s.time < :day + 86400
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535 AND f.text IS NOT NULL
)
GROUP BY unit;
INSERT INTO days VALUES (:day);
