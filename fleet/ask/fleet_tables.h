// SPDX-License-Identifier: MIT
// Answers as tables and charts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/many/fleet_digest.h"
#include "analyzer/shape/shapes.h"
#include "fleet/ask/growth_verdict.h"

namespace physmem::fleet {

struct HostRow {
  std::string machine, host, kernel, release, archive;
  std::uint64_t time_ns = 0;
  std::optional<std::uint64_t> ram, available, swap_used, processes;  ///< bytes
  std::optional<std::uint64_t> alerts;
};

struct ChangeRow {
  std::string unit;
  struct Side {
    std::uint64_t hosts = 0, snapshots = 0;
    double bytes = 0;  ///< mean of the means of hosts; 0 if no host has it
  };
  Side before, after;
  double difference() const { return after.bytes - before.bytes; }
};

struct TrendRow {
  std::uint64_t day = 0;  ///< its first second
  std::uint64_t machines = 0, snapshots = 0;
  std::uint64_t bytes = 0, min = 0, p50 = 0, p99 = 0, max = 0;

  double mean() const { return static_cast<double>(bytes) / static_cast<double>(snapshots); }
};

struct GrowthRow {
  std::string host, machine, name, cgroup, archive;
  std::uint64_t first = 0, last = 0;  ///< s
  std::uint64_t min = 0, max = 0;     ///< bytes
  double mean = 0;                    ///< bytes
  GrowthLine line;
  GrowthVerdict verdict;
};

/// Series of three snapshots or more.
struct GrowthRows {
  std::vector<GrowthRow> rows = {};
  std::uint64_t series = 0, growing = 0;
  bool has_all = false;  ///< otherwise `rows` are those that grow
};

struct GapRow {
  static constexpr std::size_t kMaxRanges = 6;

  std::string machine, host, boot;
  std::uint64_t snapshots = 0, missing = 0, series = 0, lost = 0;
  std::uint64_t first_ns = 0, last_ns = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;  ///< missing numbers: the first ones
  std::uint64_t before_ns = 0, after_ns = 0;  ///< snapshots before and after the first of them
  std::optional<std::uint64_t> late_s;        ///< nothing: the machine is not late

  bool has_gap() const { return missing != 0 || lost != 0 || late_s; }
};

/// One alert over all hosts on which it changed or is open.
struct AlertRow {
  std::string unit, process, rule;  ///< without process and rule: not reported in this time
  std::string last_on;
  std::uint64_t hosts = 0, open_hosts = 0, opened = 0, closed = 0;
  std::uint64_t first_ms = 0, last_ms = 0;  ///< of its changes; 0: none
};

struct KeptRow {
  std::string host, machine, archive;
  std::uint64_t time_ns = 0;
  std::optional<std::uint64_t> alerts;
};

Table hosts_table(const std::vector<HostRow>& rows, std::uint64_t now);
Table changes_table(const std::vector<ChangeRow>& rows, const FleetDigest& before,
                    const FleetDigest& after);
Table trend_table(const std::vector<TrendRow>& rows, const std::string& subject);
Table leaks_table(const GrowthRows& growth);
/// "17-19, 23 and 4 more"; empty if none is missing.
std::string missing_numbers(const GapRow& row);
Table gaps_table(const std::vector<GapRow>& rows, std::uint64_t machines);
Table alerts_table(const std::vector<AlertRow>& rows, std::uint64_t snapshots,
                   std::uint64_t machines);
Table snapshots_table(const std::vector<KeptRow>& rows, std::uint64_t machines);

/// Memory without a file has the empty unit.
std::string shown_unit(const std::string& unit);
/// "2026-11-21".
std::string day_text(std::uint64_t day);
/// "2 snapshots of 2 hosts, 2026-11-21T01:22:35Z to 2026-11-21T01:29:07Z".
std::string span_text(const FleetDigest& digest);

}  // namespace physmem::fleet
