// SPDX-License-Identifier: MIT
// What one snapshot contributes to a store: a line of properties, and rows of the fact tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fleet/model/limits.h"
#include "fleet/model/short_list.h"
#include "fleet/model/tables.h"

namespace physmem::fleet {

inline constexpr std::uint64_t kDay = 86400;  ///< s; days begin at midnight UTC

/// Snapshots after this second (in 2106) are in no store: ClickHouse's DateTime has 32 bits.
inline constexpr std::uint64_t kMaxSecond = 0xffffffff;

/// Rows of one table in a report.
inline constexpr std::size_t kMaxRows = (std::size_t{1} << 16) - 1;
/// Bytes of a text: a path of PATH_MAX bytes that are all escaped.
inline constexpr std::size_t kMaxText = std::size_t{4} * 4096;

/// A row of a fact table. Texts are in printable form (escaped_name()), which the stores keep.
struct Fact {
  ShortList<std::string, kMaxFactTexts> texts;
  ShortList<std::optional<std::uint64_t>, kMaxFactNumbers> numbers;

  bool operator==(const Fact&) const = default;
};

/// The columns of snapshot_columns(). Texts are in printable form.
///
/// The key of a snapshot in the fact tables is (machine, second(), millisecond()): a millisecond is
/// shorter than any collection, and takes less room in each row than the nanosecond.
struct SnapshotLine {
  std::string key;      ///< SHA-256 of the decoded text, 64 hexadecimal digits
  std::string machine;  ///< Header::machine_id, or name:HOST
  std::string host;
  std::string boot;  ///< empty: not known
  std::string kernel;
  std::string arch;
  std::string collector;
  std::string release;                     ///< of the software on the machine, given by the user
  std::string archive;                     ///< path of the snapshot, if it is kept
  std::uint64_t time_ns = 0;               ///< since 1970, UTC
  std::optional<std::uint64_t> uptime_ns;  ///< since boot
  std::optional<std::uint64_t> sequence;   ///< number in a series of this boot
  std::uint64_t page_size = 4096;
  std::optional<std::uint64_t> ram_bytes;
  std::uint64_t has_pages = 1;   ///< 0: sizes of units are not known
  std::uint64_t has_ledger = 0;  ///< 1: classes and caches describe the whole of RAM
  std::uint64_t lost = 0;        ///< collect.lost: what the machine dropped so far

  std::uint64_t second() const { return time_ns / 1'000'000'000; }
  std::uint64_t millisecond() const { return time_ns % 1'000'000'000 / 1'000'000; }
  bool operator==(const SnapshotLine&) const = default;
};

struct Report {
  SnapshotLine snapshot;
  std::array<std::vector<Fact>, kFactTables> facts;

  std::vector<Fact>& of(FactTable table) { return facts[static_cast<std::size_t>(table)]; }
  const std::vector<Fact>& of(FactTable table) const {
    return facts[static_cast<std::size_t>(table)];
  }
  bool operator==(const Report&) const = default;
};

}  // namespace physmem::fleet
