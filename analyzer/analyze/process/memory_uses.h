// SPDX-License-Identifier: MIT
// What processes use, or groups of them: USS, PSS, RSS and swap.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/name_pattern.h"
#include "analyzer/analyze/process/frame_sharing.h"
#include "analyzer/analyze/process/huge_mappings.h"
#include "analyzer/analyze/process/process_groups.h"
#include "analyzer/analyze/process/process_sizes.h"
#include "analyzer/analyze/unit_names.h"

namespace physmem {

/// Resident pages by their flags.
struct FlaggedPages {
  std::uint64_t anonymous = 0;      ///< with lazily freed ones
  std::uint64_t shared_memory = 0;  ///< of a tmpfs, memfd, System V, shared anonymous memory
  std::uint64_t lazily_freed = 0;   ///< anonymous, of MADV_FREE: free when memory is needed
  std::uint64_t hugetlb = 0;        ///< not in Rss
  std::uint64_t merged = 0;         ///< by KSM
  std::uint64_t huge = 0;           ///< in transparent huge pages that are mapped as a whole
  std::uint64_t locked = 0;         ///< by mlock(2) or SHM_LOCK: the kernel does not reclaim them
  std::uint64_t dirty = 0;          ///< of files, to be written, or being written

  FlaggedPages& operator+=(const FlaggedPages& other);
  bool operator==(const FlaggedPages&) const = default;
};

/// Pages.
struct MemoryUse {
  /// USS: mapped by this process, or by the processes of this group, and by no others. Of a unit,
  /// mapped by one process only.
  std::uint64_t unique = 0;
  PageShare share = {};  ///< proportional (PSS)
  std::uint64_t resident = 0;
  SwapSlots slots = {};  ///< in swap
  /// Pages in swap with an unknown slot: of shared memory, or of a snapshot without pages.
  std::uint64_t in_unknown_slots = 0;
  std::uint64_t virtual_pages = 0;
  FlaggedPages flagged = {};  ///< 0 unless MemoryUses counts pages
  bool is_unique_known = true;
  bool is_share_known = true;  ///< false if the snapshot does not list all pages

  /// A slot that several processes of a group have counts once; pages in unknown slots count in
  /// each process.
  std::uint64_t swapped() const { return slots.distinct() + in_unknown_slots; }
  MemoryUse& operator+=(const MemoryUse& other);
};

/// The sum over all its areas.
MemoryUse use_of(const Process& process);
/// The same, or by counters if some of its areas could not be read. Nothing is known of a kernel
/// thread, or of a process that the snapshot only names.
std::optional<MemoryUse> use_of(const Process& process, const ProcessSizeCounters& sizes,
                                PageSize page_size);

/// Whether a pattern fits the whole path of the area's unit, the name after its last slash, or the
/// path with device and inode.
bool fits_unit(const Area& area, std::span<const NamePattern> patterns);

/// Which processes of a row are in its sums. Processes without resident pages do not count as
/// known.
struct KnownProcesses {
  bool has_unique = false;  ///< of one process at least
  bool has_share = false;
  std::uint64_t without_unique = 0;
  std::uint64_t without_share = 0;
};

/// A process, or a group of them. Of a group, only its key is set. USS of a group is known if the
/// counts are those of mappings and all of its processes have been read, or if it has one process.
struct MemoryUseRow {
  /// Command; of kTree, that of its first process; of kProgram, the path of the program; of kUnit,
  /// the file, or what the memory is: [heap], [anon]. If several files have one path, with device
  /// and inode.
  std::string name;
  std::uint64_t pid = 0;  ///< of kTree: of its first process
  std::optional<std::uint64_t> uid;
  std::string cgroup;
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;  ///< of kUnit: 0
  MemoryUse use;              ///< of a group, the sums of what is known, but for USS
  KnownProcesses known = {};
  std::string program = {};                           ///< its path; empty: unknown
  std::optional<std::uint64_t> page_tables_kib = {};  ///< nothing: unknown of some process

  bool has_unique() const { return use.is_unique_known || known.has_unique; }
  bool has_share() const { return use.is_share_known || known.has_share; }
  /// Processes that are missing in PSS, or in USS if there is no PSS.
  std::uint64_t unread() const { return has_share() ? known.without_share : known.without_unique; }
  /// Adds what is known of another row.
  void add(const MemoryUseRow& other);
};

/// Kernel threads have no memory of their own, so they are left out. A process without areas counts
/// by its ProcessSizeCounters, if there are any. `units`: of kUnit, only these
/// files; otherwise, only processes that map one of them.
class MemoryUses : public Analysis {
 public:
  explicit MemoryUses(UseGrouping grouping = UseGrouping::kProcess,
                      std::vector<NamePattern> units = {})
      : grouping_(grouping), units_(std::move(units)), numbers_(grouping) {}

  /// Of processes and groups of them, only the memory of `units`.
  void count_only_units() { counts_only_units_ = true; }
  /// Also counts `flagged`, which costs a look at each run of pages.
  void count_pages() { counts_pages_ = true; }

  /// Groups count their frames in `sharing_`.
  bool needs_unique() const override { return !is_of_groups(); }
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_area(const Process&, const Area&) override { huge_pages_.begin_area(); }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  void on_end() override;

  UseGrouping grouping() const { return grouping_; }
  bool has_only_units() const { return counts_only_units_; }
  /// Whether rows are processes, or groups of them, that map certain files.
  bool is_of_units() const { return !units_.empty() && grouping_ != UseGrouping::kUnit; }
  /// False without page flags, and if the kernel marks every anonymous page as merged.
  bool knows_merged() const { return knows_merged_; }
  /// Whether the other members of `flagged` are known: false without page flags.
  bool knows_flags() const { return huge_pages_.is_known(); }
  /// Whether the snapshot has no areas, but counters with the sizes of processes.
  bool has_only_sizes() const { return !header_.has_areas && !sizes_.is_empty(); }
  /// In the order of the snapshot; groups in the order of their keys.
  std::vector<MemoryUseRow> rows() const;
  MemoryUse total() const;

 private:
  struct Group {
    MemoryUseRow row;
    bool has_all_frames = true;  ///< of all its processes
  };
  static constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

  /// Whether rows are processes that are added up.
  bool is_of_groups() const {
    return grouping_ != UseGrouping::kProcess && grouping_ != UseGrouping::kUnit;
  }
  bool is_asked(const Area& area) const;
  std::optional<MemoryUse> asked_use(const Process& process) const;
  void add_units(const Process& process);
  std::vector<MemoryUseRow> unit_rows() const;
  void join_trees();
  void share(std::span<const PageRun> runs);
  bool has_mapping_counts() const;
  bool has_all_frames(const Process& process) const;

  UseGrouping grouping_;
  std::vector<NamePattern> units_;
  std::vector<MemoryUseRow> processes_;
  ProcessGroups numbers_;
  std::vector<Group> groups_;
  FrameSharing sharing_;                   ///< of the processes of groups
  std::vector<std::uint32_t> group_of_;    ///< the group of each process in it, or kNoGroup
  std::map<UnitKey, MemoryUseRow> files_;  ///< of kUnit; also kinds of memory without a file
  UnitNames names_;                        ///< of files_
  Header header_;
  bool counts_only_units_ = false;
  bool counts_pages_ = false;
  bool knows_merged_ = false;
  HugeMappings huge_pages_;
  FlaggedPages counted_;  ///< of the process that is read
  ProcessSizeCounters sizes_;
  std::unordered_map<std::uint64_t, std::uint64_t> page_tables_kib_;  ///< by process id
};

}  // namespace physmem
