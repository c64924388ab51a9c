-- Events of alerts: machine, unit, process, rule, ms, event. Within a machine they are in the order
-- of unit, ms and event. fleet/ask/alert_fold.h defines when an alert is open. The events:
-- 0 and 1: a snapshot reports the alert as closed or open. An alert that the previous snapshot with
-- units reports as open too is left out: a machine without --state reports all its
-- alerts each time. 2: the first snapshot without alerts of the unit, after one that has some.
-- 3: the latest snapshot has alerts of the unit. 4: the first snapshot with alerts of the unit, of
-- all or after one without. For 2 to 4, process and rule are empty. A snapshot without units does
-- not say which alerts are open. Events of the day before :since are included. The store asks for
-- each machine.
WITH
  taken AS (  -- snapshots. next_ms, if the snapshot has units: ms of the next one with units
    SELECT id, ms, has_units,
           CASE WHEN has_units
             THEN lead(ms) OVER (PARTITION BY has_units ORDER BY ms) END AS next_ms
    FROM (
      SELECT s.id, s.time * 1000 + s.millisecond AS ms,
             EXISTS (SELECT 1 FROM units f
                     WHERE f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535) AS has_units
      FROM snapshots s
      WHERE s.machine = :machine AND s.time >= :since - 86400 AND s.time < :before
    )
  ),
  facts AS (
    SELECT f.unit, f.process, f.rule, s.ms, s.next_ms, s.has_units, f.state <> 0 AS event
    FROM taken s CROSS JOIN alerts f
    WHERE f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535 AND f.state IS NOT NULL
      AND (:units IS NULL OR f.unit IN (
        SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
  ),
  reported AS (
    SELECT unit, process, rule, ms, event, lag(event) OVER alert AS event_before,
           lag(next_ms) OVER alert AS next_before
    FROM facts
    WINDOW alert AS (PARTITION BY unit, process, rule ORDER BY ms)
  ),
  with_alerts AS (  -- units, and the snapshots in which they have alerts
    SELECT f.unit, s.ms, s.next_ms
    FROM taken s CROSS JOIN units f
    WHERE f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535 AND f.alerts > 0
      AND (:units IS NULL OR f.unit IN (
        SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
    UNION ALL
    SELECT unit, ms, next_ms FROM facts WHERE event = 1 AND has_units
  ),
  ends AS (  -- ms: NULL after the latest snapshot
    SELECT unit, next_ms AS ms FROM with_alerts
    EXCEPT
    SELECT unit, ms FROM with_alerts
  ),
  begins AS (
    SELECT unit, ms FROM with_alerts
    EXCEPT
    SELECT unit, next_ms FROM with_alerts
  ),
  events AS (
    SELECT unit, process, rule, ms, event
    FROM reported
    WHERE event = 0 OR event_before IS NOT 1 OR next_before IS NOT ms
    UNION ALL
    SELECT unit, NULL, NULL, coalesce(ms, (SELECT max(ms) FROM taken WHERE has_units)),
           CASE WHEN ms IS NULL THEN 3 ELSE 2 END
    FROM ends
    UNION ALL
    SELECT unit, NULL, NULL, ms, 4 FROM begins
  )
SELECT (SELECT machine FROM machines WHERE id = :machine), u.text, coalesce(p.text, ''),
       coalesce(r.text, ''), e.ms, e.event
FROM events e JOIN texts u ON u.id = e.unit LEFT JOIN texts p ON p.id = e.process
  LEFT JOIN texts r ON r.id = e.rule
ORDER BY e.unit, e.ms, e.event;
