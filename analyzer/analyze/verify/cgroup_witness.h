// SPDX-License-Identifier: MIT
// Memory of cgroups: the frames that a group pays for, against its memory.stat.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/ram/ram_verdict.h"

namespace physmem {

/// The kernel counts a group with those below it (cgroup.ID.WHEN.NAME of
/// formats/physmem-records.md). A deleted group counts for its parent.
class CgroupWitness : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;

  /// Whether the snapshot has counts of groups.
  bool is_known() const { return !stated_.empty(); }
  /// As in Ledger: churn() and migrated().
  struct Motion {
    std::uint64_t churn = 0;
    std::uint64_t migrated = 0;
  };
  RamVerdict verdict(Motion motion) const;

 private:
  /// What is compared.
  enum Part { kAnon, kFile, kShmem, kPageTables, kParts };
  struct Group {
    std::uint64_t number = 0;
    std::string path;
  };
  using Pages = std::array<std::uint64_t, kParts>;
  struct Reading {
    std::array<std::optional<std::uint64_t>, kParts> pages{};
    std::optional<std::uint64_t> activity;
  };
  struct Stated {
    Reading before, after;

    RamTotal total(std::size_t part) const {
      return {before.pages[part].value_or(0), after.pages[part].value_or(0)};
    }
    /// Whether memory may have come and gone between the two readings. Snapshots before 2.11.4
    /// have no activity: there only a number that moved shows it.
    bool may_have_run(std::size_t part) const {
      return before.activity ? before.activity != after.activity : total(part).has_moved();
    }
  };

  /// The group whose memory.stat has the pages of a group, and whether it is the one just above a
  /// deleted group, or the group itself.
  struct Home {
    std::uint64_t group = 0;
    bool is_certain = true;
  };
  struct Sums {
    std::map<std::uint64_t, Pages> of;  ///< by number, with the groups below
    /// Pages of deleted groups below one that pays for nothing, whose path is not known.
    Pages uncertain{};
  };

  void on_counter(const Counter& counter);
  /// Whether the snapshot has counts of the group, or at least says which group is above it.
  bool knows(std::uint64_t group) const {
    return stated_.contains(group) || parents_.contains(group);
  }
  /// 0: it is the root.
  std::uint64_t parent_of(std::uint64_t group) const;
  Home home_of(const Group& group) const;
  Sums sum_up() const;
  WitnessMember member_of(std::uint64_t group, std::size_t part, const Sums& sums,
                          Motion motion) const;

  Header header_;
  std::uint64_t cpus_ = 1;
  std::map<std::uint64_t, Stated> stated_;                    ///< by number
  std::unordered_map<std::uint64_t, std::uint64_t> parents_;  ///< numbers of the groups above
  std::unordered_map<std::uint64_t, Group> groups_;           ///< by id in R:
  std::unordered_map<std::uint64_t, Pages> paid_;             ///< by id in R:
  std::unordered_map<std::string, std::uint64_t> numbers_;    ///< of groups that exist, by path
  std::unordered_map<std::uint64_t, std::string> paths_;      ///< of the same, by number
};

}  // namespace physmem
