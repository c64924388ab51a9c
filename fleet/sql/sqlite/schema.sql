-- Version 4 of the store. Texts that facts repeat are numbers of `texts`, which stay. The rows of a
-- snapshot have adjacent ids, (snapshot << 16) + n, so that they are read and removed as one range,
-- and a row repeats neither time nor machine. formats/fleet-rows.md describes the columns.
CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS machines (id INTEGER PRIMARY KEY, machine TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS snapshots (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  machine INTEGER NOT NULL REFERENCES machines (id),
  time INTEGER NOT NULL,        -- s since 1970
  millisecond INTEGER NOT NULL,
  host INTEGER NOT NULL, boot INTEGER NOT NULL, kernel INTEGER NOT NULL, arch INTEGER NOT NULL,
  collector INTEGER NOT NULL, release INTEGER NOT NULL, archive INTEGER NOT NULL,
  time_ns INTEGER NOT NULL, uptime_ns INTEGER, sequence INTEGER, page_size INTEGER NOT NULL,
  ram_bytes INTEGER, has_pages INTEGER NOT NULL, has_ledger INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  UNIQUE (machine, time, millisecond)
);
CREATE TABLE IF NOT EXISTS units (
  id INTEGER PRIMARY KEY, unit INTEGER NOT NULL,
  text INTEGER, data INTEGER, bss INTEGER, processes INTEGER,
  uss INTEGER, pss INTEGER, rss INTEGER, alerts INTEGER
);
CREATE TABLE IF NOT EXISTS regions (
  id INTEGER PRIMARY KEY, region INTEGER NOT NULL, frames INTEGER, rss INTEGER
);
CREATE TABLE IF NOT EXISTS counters (
  id INTEGER PRIMARY KEY, counter INTEGER NOT NULL, value INTEGER
);
CREATE TABLE IF NOT EXISTS names (
  id INTEGER PRIMARY KEY, name INTEGER NOT NULL, cgroup INTEGER NOT NULL,
  processes INTEGER, uss INTEGER, pss INTEGER, rss INTEGER, swap INTEGER,
  max_rss INTEGER, minor_faults INTEGER, major_faults INTEGER
);
CREATE TABLE IF NOT EXISTS alerts (
  id INTEGER PRIMARY KEY, unit INTEGER NOT NULL, process INTEGER NOT NULL,
  rule INTEGER NOT NULL, state INTEGER
);
CREATE TABLE IF NOT EXISTS leaks (
  id INTEGER PRIMARY KEY, process INTEGER NOT NULL, what INTEGER NOT NULL,
  slope INTEGER, bytes INTEGER, confidence INTEGER
);
CREATE TABLE IF NOT EXISTS classes (
  id INTEGER PRIMARY KEY, class INTEGER NOT NULL, bytes INTEGER, owned INTEGER
);
CREATE TABLE IF NOT EXISTS caches (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name INTEGER NOT NULL, bytes INTEGER
);
-- Sums of whole days (UTC), which questions read instead of facts. A day is its first second.
CREATE TABLE IF NOT EXISTS days (day INTEGER PRIMARY KEY);
-- The number of a day grows when snapshots of it are added or replaced, and when a program begins
-- to sum it up.
CREATE TABLE IF NOT EXISTS day_changes (day INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS machine_days (
  day INTEGER NOT NULL, machine INTEGER NOT NULL, host INTEGER NOT NULL,
  snapshots INTEGER NOT NULL, first_ns INTEGER NOT NULL, last_ns INTEGER NOT NULL,
  ledgers INTEGER NOT NULL,
  PRIMARY KEY (day, machine)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS unit_days (
  day INTEGER NOT NULL, unit INTEGER NOT NULL, machine INTEGER NOT NULL,
  snapshots INTEGER NOT NULL, sized INTEGER NOT NULL, bytes INTEGER NOT NULL,
  min_bytes INTEGER, max_bytes INTEGER, first_ns INTEGER, last_ns INTEGER, alerts INTEGER NOT NULL,
  PRIMARY KEY (machine, day, unit)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ram_days (
  day INTEGER NOT NULL, kind TEXT NOT NULL, name INTEGER NOT NULL, machine INTEGER NOT NULL,
  snapshots INTEGER NOT NULL, bytes INTEGER NOT NULL, min_bytes INTEGER, max_bytes INTEGER,
  PRIMARY KEY (day, kind, name, machine)
) WITHOUT ROWID;
-- Of each unit, in one snapshot. Percentiles cannot be joined, so they are of single units only.
CREATE TABLE IF NOT EXISTS trend_days (
  day INTEGER NOT NULL, unit INTEGER NOT NULL, machines INTEGER NOT NULL,
  snapshots INTEGER NOT NULL, bytes INTEGER NOT NULL, min_bytes INTEGER NOT NULL,
  p50 INTEGER NOT NULL, p99 INTEGER NOT NULL, max_bytes INTEGER NOT NULL,
  PRIMARY KEY (day, unit)
) WITHOUT ROWID;
-- Snapshots before this second were removed; their days have sums only.
CREATE TABLE IF NOT EXISTS expired (before INTEGER NOT NULL);
