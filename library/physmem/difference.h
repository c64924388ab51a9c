// SPDX-License-Identifier: MIT
// What changed between two snapshots, as `physmem-analyze --ask diff` compares them. Counts are in
// pages in Rss. docs/over-time.md describes the terms.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "physmem/options.h"

namespace physmem {

/// before + gained - lost = after.
struct ChangeSums {
  std::uint64_t before = 0;  ///< resident pages
  std::uint64_t after = 0;
  std::uint64_t gained = 0;  ///< resident now, not before
  std::uint64_t lost = 0;    ///< resident before, not now
  /// Pages that stayed, but in another frame. No value, as for the three below, if the snapshots do
  /// not list all pages.
  std::optional<std::uint64_t> moved;
  /// Pages that stayed, and are private only now. No value if a snapshot is of version 1.
  std::optional<std::uint64_t> to_private;
  std::optional<std::uint64_t> copied;     ///< pages of to_private that were copied on write
  std::optional<std::uint64_t> to_shared;  ///< pages that stayed, and were private only before
  std::uint64_t swap_before = 0;           ///< pages in swap
  std::uint64_t swap_after = 0;

  std::int64_t change() const { return static_cast<std::int64_t>(after - before); }
  std::int64_t swap_change() const { return static_cast<std::int64_t>(swap_after - swap_before); }
};

struct ProcessChangeRow : ChangeSums {
  std::uint64_t pid = 0;
  std::string name;
  std::string name_before;  ///< if it differs
  std::string state;        ///< stayed, new, gone, exec (it executed another program)
};

struct AreaChangeRow : ChangeSums {
  std::uint64_t pid = 0;
  std::uint64_t process = 0;  ///< index in processes()
  std::uint64_t start = 0;
  std::uint64_t last = 0;  ///< address of the last byte
  std::string region;      ///< "library text"
  std::string unit;        ///< path of the file or label; empty: it has neither
  std::string state;       ///< stayed, new, gone
};

/// A unit with its bss, or all memory of a region that belongs to no unit.
struct UnitChangeRow : ChangeSums {
  std::string unit;
  /// Distinct frames; each counts for the first unit that maps it. No value without pages.
  std::optional<std::uint64_t> distinct_before;
  std::optional<std::uint64_t> distinct_after;
};

/// It is immutable, so several threads may use it. A copy costs a reference count.
class Difference {
 public:
  /// Reads the first snapshot of each file. Throws like Snapshot::open().
  static Difference between(const std::filesystem::path& before, const std::filesystem::path& after,
                            const OpenOptions& options = {});

  /// All processes, changed or not, in the order of the second snapshot; then those that are gone.
  const std::vector<ProcessChangeRow>& processes() const;
  const std::vector<AreaChangeRow>& areas() const;
  const std::vector<UnitChangeRow>& units() const;

 private:
  struct Data;
  explicit Difference(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

  std::shared_ptr<const Data> data_;
};

}  // namespace physmem
