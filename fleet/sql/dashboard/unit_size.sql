-- Panel: Size of the unit $unit on one host
-- In the last snapshot of each machine: percentiles over them, by nearest rank.
SELECT moment, arrayElement(arraySort(groupArray(size)), intDiv(count() * 50 + 99, 100)) AS p50,
       arrayElement(arraySort(groupArray(size)), intDiv(count() * 99 + 99, 100)) AS p99,
       max(size) AS max
FROM (
  SELECT assumeNotNull(text + data + bss) AS size, machine_hash, time, millisecond
  FROM $database.units$suffix FINAL
  WHERE {last_facts}
    AND unit_hash = sipHash64('$unit') AND isNotNull(text + data + bss)
) AS facts ALL INNER JOIN (
  {moments}
) AS states USING machine_hash, time, millisecond
GROUP BY moment
ORDER BY moment
