-- Changes of alerts: unit, process, rule, machine, opened, closed, is_open (after the last change),
-- first_ms, last_ms (times of the changes); in any order. A machine without --state reports all its
-- alerts as opened each time: an alert that it reported in the day before :since does not open.
WITH reported AS (
  SELECT s.machine, s.time * 1000 + s.millisecond AS ms, f.unit, f.process, f.rule,
         f.state <> 0 AS is_open
  FROM snapshots s CROSS JOIN alerts f
  WHERE s.time >= :since - 86400 AND s.time < :before
    AND (:machines IS NULL OR s.machine IN (
      SELECT id FROM machines WHERE machine IN (SELECT value FROM json_each(:machines))))
    AND f.id BETWEEN s.id << 16 AND (s.id << 16) + 65535
    AND (:units IS NULL OR f.unit IN (
      SELECT id FROM texts WHERE text IN (SELECT value FROM json_each(:units))))
    AND f.state IS NOT NULL
),
followed AS (
  SELECT *, lag(is_open) OVER (PARTITION BY machine, unit, process, rule ORDER BY ms) AS was_open
  FROM reported
),
changed AS (
  SELECT machine, unit, process, rule, sum(is_open) AS opened, sum(NOT is_open) AS closed,
         max(ms << 1 | is_open) & 1 AS is_open, min(ms) AS first_ms, max(ms) AS last_ms
  FROM followed WHERE ms >= :since * 1000 AND is_open IS NOT was_open
  GROUP BY machine, unit, process, rule
)
SELECT u.text, p.text, r.text, m.machine, opened, closed, is_open, first_ms, last_ms
FROM changed c JOIN machines m ON m.id = c.machine JOIN texts u ON u.id = c.unit
  JOIN texts p ON p.id = c.process JOIN texts r ON r.id = c.rule;
