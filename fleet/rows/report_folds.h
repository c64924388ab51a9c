// SPDX-License-Identifier: MIT
// What a report has and no analysis of the analyzer gives.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process/memory_uses.h"
#include "analyzer/analyze/process/process_sizes.h"

namespace physmem::fleet {

/// Pages by region over all processes.
class RegionUse : public Analysis {
 public:
  bool needs_first_seen() const override { return true; }
  void on_process(const Process& process) override;

  struct Pages {
    std::uint64_t frames = 0;  ///< each counts in the first area that maps it
    std::uint64_t resident = 0;
  };
  const std::array<Pages, kRegions>& regions() const { return regions_; }

 private:
  Pages& at(Region region) { return regions_[static_cast<std::size_t>(region)]; }

  std::array<Pages, kRegions> regions_{};
};

/// The kernel's counters that questions and dashboards use; the last value of each. Sizes in kB
/// become bytes: mem.MemTotal_kB is mem.MemTotal.
class ChosenCounters : public Analysis {
 public:
  void on_counters(std::span<const Counter> counters) override;
  /// Nothing: no machine has this value, but some kernels have printed differences below 0.
  const std::map<std::string, std::optional<std::uint64_t>>& values() const { return values_; }
  /// collect.lost, which is a property of the snapshot.
  std::uint64_t lost() const { return lost_; }

 private:
  std::map<std::string, std::optional<std::uint64_t>> values_;
  std::uint64_t lost_ = 0;
};

/// Processes by name and cgroup.
class NameUses : public Analysis {
 public:
  struct Sum {
    std::uint64_t processes = 0;
    MemoryUse use;
    std::uint64_t max_resident = 0;
    std::uint64_t minor_faults = 0;  ///< since the start of each process
    std::uint64_t major_faults = 0;
    bool is_known = true;  ///< false: the sizes of a process are not known

    Sum& operator+=(const Sum& other);
  };
  using Key = std::pair<std::string, std::string>;  ///< name, cgroup

  bool needs_unique() const override { return true; }
  void on_header(const Header& header) override { page_size_ = header.page_size; }
  void on_counters(std::span<const Counter> counters) override { sizes_.add(counters); }
  void on_process(const Process& process) override;

  /// The `top` largest by resident pages, then "other" with the sum of all others. A process of
  /// that name without a group is part of it.
  std::vector<std::pair<Key, Sum>> largest(std::size_t top) const;

 private:
  PageSize page_size_;
  ProcessSizeCounters sizes_;
  std::map<Key, Sum> sums_;
};

}  // namespace physmem::fleet
