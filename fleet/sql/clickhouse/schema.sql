-- Version 2 of the store, for ClickHouse 18.16 and later. physmem-fleet runs each statement on each
-- shard, and `physmem-fleet schema` prints them. {database} and {cluster} come from the store's
-- URL; statements with {cluster} are left out if it names none.
--
-- The key of a row of facts ends in its snapshot's key, (machine_hash, time, millisecond). A row
-- with the same key replaces another when parts are merged, and at once for FINAL. The unit is
-- first, because a column of equal values takes less room, and questions about one unit read
-- little. A partition is a day, because expiry drops whole partitions, and a day of 5,000 machines
-- is 1 to 4 GB. machine_hash is sipHash64(machine), and unit_hash is sipHash64(unit): `machines`
-- and `unit_names` have the texts. Most facts are of units, and the server merges, sorts and groups
-- numbers in about half of the time of texts, which version 1 had. The key of a snapshot has 32
-- bytes, not their 64 digits as in version 1, because nothing compresses it.
CREATE DATABASE IF NOT EXISTS {database};

CREATE TABLE IF NOT EXISTS {database}.store (version UInt32)
ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY version;

-- Which shard this is, from 0, and how many there are: the store has machines on
-- machine_hash % shards.
CREATE TABLE IF NOT EXISTS {database}.shard (number UInt32, shards UInt32)
ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY (number, shards);

CREATE TABLE IF NOT EXISTS {database}.machines (machine_hash UInt64, machine String)
ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY machine_hash;

-- Names of units, in printable form, are inserted before the facts, and stay.
CREATE TABLE IF NOT EXISTS {database}.unit_names (unit_hash UInt64, unit String)
ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY unit_hash;

CREATE TABLE IF NOT EXISTS {database}.snapshots (
  machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  key_hash UInt64, key String, machine String, host String, boot String, kernel String,
  arch String, collector String, release String, archive String,
  time_ns UInt64, uptime_ns Nullable(UInt64), sequence Nullable(UInt64), page_size UInt64,
  ram_bytes Nullable(UInt64), has_pages UInt8, has_ledger UInt8, lost UInt64
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.units (
  unit_hash UInt64, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  text Nullable(UInt64), data Nullable(UInt64), bss Nullable(UInt64),
  processes Nullable(UInt64), uss Nullable(UInt64), pss Nullable(UInt64), rss Nullable(UInt64),
  alerts Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (unit_hash, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.regions (
  region String, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  frames Nullable(UInt64), rss Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (region, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.counters (
  counter String, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  value Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (counter, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.names (
  name String, cgroup String, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  processes Nullable(UInt64), uss Nullable(UInt64), pss Nullable(UInt64), rss Nullable(UInt64),
  swap Nullable(UInt64), max_rss Nullable(UInt64), minor_faults Nullable(UInt64),
  major_faults Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (name, cgroup, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.alerts (
  unit_hash UInt64, process String, rule String,
  machine_hash UInt64, time DateTime('UTC'), millisecond UInt16, state Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (unit_hash, process, rule, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.leaks (
  process String, what String, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  slope Nullable(UInt64), bytes Nullable(UInt64), confidence Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (process, what, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.classes (
  class String, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  bytes Nullable(UInt64), owned Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (class, machine_hash, time, millisecond);

CREATE TABLE IF NOT EXISTS {database}.caches (
  kind String, name String, machine_hash UInt64, time DateTime('UTC'), millisecond UInt16,
  bytes Nullable(UInt64)
) ENGINE = ReplacingMergeTree() PARTITION BY toYYYYMMDD(time)
ORDER BY (kind, name, machine_hash, time, millisecond);

-- Sums of whole days, which end at midnight UTC. `days` has the number of snapshots that the sums
-- of a day have: if `snapshots` has more of that day, questions read the facts. day: its first
-- second.
CREATE TABLE IF NOT EXISTS {database}.days (day UInt64, summed UInt64, version UInt64)
ENGINE = ReplacingMergeTree(version) PARTITION BY tuple() ORDER BY day;

CREATE TABLE IF NOT EXISTS {database}.machine_days (
  machine_hash UInt64, day UInt64, machine String, host String, snapshots UInt64,
  first_ns UInt64, last_ns UInt64, ledgers UInt64, version UInt64
) ENGINE = ReplacingMergeTree(version) PARTITION BY intDiv(day, 2592000)
ORDER BY (machine_hash, day);

CREATE TABLE IF NOT EXISTS {database}.unit_days (
  unit_hash UInt64, machine_hash UInt64, day UInt64,
  snapshots UInt64, sized UInt64, bytes UInt64, min_bytes Nullable(UInt64),
  max_bytes Nullable(UInt64), first_ns UInt64, last_ns UInt64, alerts UInt64, version UInt64
) ENGINE = ReplacingMergeTree(version) PARTITION BY intDiv(day, 2592000)
ORDER BY (unit_hash, machine_hash, day);

CREATE TABLE IF NOT EXISTS {database}.ram_days (
  kind String, name String, machine_hash UInt64, day UInt64, snapshots UInt64,
  bytes Nullable(UInt64), min_bytes Nullable(UInt64), max_bytes Nullable(UInt64), version UInt64
) ENGINE = ReplacingMergeTree(version) PARTITION BY intDiv(day, 2592000)
ORDER BY (kind, name, machine_hash, day);

-- Of single units on all machines, in one snapshot; percentiles cannot be joined. Each shard has
-- all of them, and they are made when the facts are about to be removed.
CREATE TABLE IF NOT EXISTS {database}.trend_days (
  unit_hash UInt64, day UInt64, machines UInt64, snapshots UInt64, bytes UInt64, min_bytes UInt64,
  p50 UInt64, p99 UInt64, max_bytes UInt64
) ENGINE = ReplacingMergeTree() PARTITION BY intDiv(day, 2592000) ORDER BY (unit_hash, day);

-- Snapshots before this second were removed; their days have sums only.
CREATE TABLE IF NOT EXISTS {database}.expired (before UInt64)
ENGINE = ReplacingMergeTree() PARTITION BY tuple() ORDER BY before;

CREATE TABLE IF NOT EXISTS {database}.machines_all AS {database}.machines
ENGINE = Distributed({cluster}, {database}, machines, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.unit_names_all AS {database}.unit_names
ENGINE = Distributed({cluster}, {database}, unit_names, unit_hash);
CREATE TABLE IF NOT EXISTS {database}.snapshots_all AS {database}.snapshots
ENGINE = Distributed({cluster}, {database}, snapshots, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.units_all AS {database}.units
ENGINE = Distributed({cluster}, {database}, units, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.regions_all AS {database}.regions
ENGINE = Distributed({cluster}, {database}, regions, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.counters_all AS {database}.counters
ENGINE = Distributed({cluster}, {database}, counters, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.names_all AS {database}.names
ENGINE = Distributed({cluster}, {database}, names, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.alerts_all AS {database}.alerts
ENGINE = Distributed({cluster}, {database}, alerts, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.leaks_all AS {database}.leaks
ENGINE = Distributed({cluster}, {database}, leaks, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.classes_all AS {database}.classes
ENGINE = Distributed({cluster}, {database}, classes, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.caches_all AS {database}.caches
ENGINE = Distributed({cluster}, {database}, caches, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.machine_days_all AS {database}.machine_days
ENGINE = Distributed({cluster}, {database}, machine_days, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.ram_days_all AS {database}.ram_days
ENGINE = Distributed({cluster}, {database}, ram_days, machine_hash);
CREATE TABLE IF NOT EXISTS {database}.unit_days_all AS {database}.unit_days
ENGINE = Distributed({cluster}, {database}, unit_days, machine_hash);
