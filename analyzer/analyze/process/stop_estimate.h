// SPDX-License-Identifier: MIT
// What becomes free if processes end, and what stays because others have it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process/frame_sharing.h"
#include "analyzer/analyze/process/process_groups.h"
#include "analyzer/analyze/process_filter.h"
#include "analyzer/model/swap_slots.h"

namespace physmem {

/// What processes map, by what happens to it when its last mapping ends.
enum class MappedKind : std::uint8_t {
  kAnonymous,  ///< becomes free
  kNameless,   ///< shared memory that no path leads to: becomes free, unless a descriptor holds it
  kDeletedFile,  ///< cached pages of a deleted file: the same
  kHugetlb,      ///< goes back to the pool of huge pages
  kCleanFile,    ///< stays in the page cache, reclaimable
  kDirtyFile,    ///< the same, after it was written
  kSystemV,      ///< System V shared memory: stays until it is removed
  kTmpfs,        ///< files of a tmpfs: stay until they are deleted
  kDmaBuf,       ///< buffers for devices, held by descriptors: become free
};
inline constexpr std::size_t kMappedKinds = 9;

enum class StopFate : std::uint8_t { kFree, kPool, kReclaimable, kLeft };
StopFate stop_fate_of(MappedKind kind);

/// Processes that end together. All sizes are in pages.
struct StopSet {
  /// Frames of one kind.
  struct Frames {
    std::uint64_t own = 0;     ///< mapped by the set only
    std::uint64_t shared = 0;  ///< mapped by others, too
    /// Mapped by the set, and by processes that the snapshot does not have.
    std::uint64_t elsewhere = 0;
    /// Of files that the set alone maps or holds, frames without a mapping; only in snapshots of
    /// the whole of RAM.
    std::uint64_t unmapped = 0;
    std::uint64_t held = 0;  ///< mapped by the set only, and others hold a descriptor of the file

    /// What no other process has.
    std::uint64_t alone() const { return own + unmapped; }
  };
  std::array<Frames, kMappedKinds> kinds = {};
  const Frames& frames(MappedKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }

  std::string command;  ///< of its first process
  std::uint64_t processes = 0;
  std::uint64_t threads = 0;
  std::uint64_t areas = 0;
  std::uint64_t unread = 0;          ///< processes whose pages are not known
  std::uint64_t without_tables = 0;  ///< processes whose page tables are not known
  /// Nothing: not in the snapshot, as for stacks if it does not have all tasks.
  std::optional<std::uint64_t> page_tables = {};
  std::optional<std::uint64_t> stacks = {};
  /// Objects of the kernel for each thread, process and area. Nothing: their sizes are not known.
  std::optional<std::uint64_t> objects = {};
  /// Pages that were written to swap and are still in RAM. Nothing: other processes have swapped
  /// pages, too, and the swap cache does not show the process. 0 of a set of a grouping.
  std::optional<std::uint64_t> swap_cache = 0;
  std::uint64_t swap_slots = 0;  ///< slots that only the set has; 0 of a set of a grouping

  /// Other processes that map frames of the set, or hold files of it by descriptors, by command.
  struct Keeper {
    std::string name;
    std::uint64_t processes = 0;
    std::uint64_t frames = 0;  ///< a frame that several commands map counts for each
  };
  /// Ordered by frames, the most first; empty of a set of a grouping.
  std::vector<Keeper> keepers = {};

  /// Frames that stay because others have them, too.
  std::uint64_t kept() const;
  /// Frames that no other process has, of all kinds with this fate.
  std::uint64_t alone(StopFate fate) const;
  /// Becomes free at once: frames, and what is known of the kernel's parts.
  std::uint64_t free() const;
};

/// For the processes that fit a filter: as one set, or as a set for each group of them, each as if
/// only that ended. Process 1 and kernel threads, which do not end, are in no group, nor is the
/// collector, which has ended.
class StopEstimate : public Analysis {
 public:
  explicit StopEstimate(ProcessFilter only, std::optional<UseGrouping> grouping = {})
      : only_(std::move(only)),
        is_one_(!grouping),
        groups_(grouping.value_or(UseGrouping::kProcess)) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_holder(const Holder& holder) override;
  void on_task(const Task& task) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  /// The one set.
  const StopSet& set() const { return sets_.front(); }
  /// By the numbers of groups().
  const std::vector<StopSet>& sets() const { return sets_; }
  const ProcessGroups& groups() const { return groups_; }
  /// Of several sets that end together: what only they share becomes free, too.
  StopSet union_of(const std::set<std::uint32_t>& sets) const;
  /// Frames that become free when the last of some sets ends, by the numbers of these sets. Frames
  /// that also others have are not in it.
  std::map<std::set<std::uint32_t>, std::uint64_t> shared_frames() const;
  /// Whether pages may be in swap and in RAM, which a set of a grouping does not count.
  bool has_swap_cache() const { return swap_cache_ != 0; }

  /// Whether the snapshot says what all processes hold by descriptors.
  bool knows_holders() const { return knows_holders_ && has_all_tasks_; }
  /// Processes whose descriptors are not known.
  std::uint64_t hidden_holders() const { return hidden_holders_; }
  /// Whether counts are those of mappings, and pages are listed.
  bool is_known() const;

 private:
  class SetFold;
  using FileKey = std::pair<std::uint64_t, std::uint64_t>;  ///< device, inode
  static constexpr std::uint32_t kNoSet = ~std::uint32_t{0};
  /// Instead of the index of a member: a process that the snapshot only names.
  static constexpr std::uint32_t kOutside = ~std::uint32_t{0};
  /// The kind of frames of held_.front(), after those of MappedKind.
  static constexpr auto kFirstHeld = static_cast<std::uint32_t>(kMappedKinds);

  void end_processes();
  std::vector<std::uint32_t> sets_of_members() const;
  std::vector<StopSet> fold(std::vector<std::uint32_t> set_of, std::size_t sets) const;
  std::optional<std::uint64_t> stack_kib() const;

  ProcessFilter only_;
  bool is_one_;
  ProcessGroups groups_;
  Header header_;
  /// A process that has been read.
  struct Member {
    std::string name;
    std::uint64_t pid = 0;
    std::uint32_t set = kNoSet;
    bool has_user_part = false;  ///< it is no kernel thread
    bool is_unread = false;
    std::uint64_t threads = 0;
    std::uint64_t areas = 0;
    SwapSlots slots = {};
    /// Frames with one mapping, by their kind.
    std::map<std::uint32_t, std::uint64_t> own = {};
  };
  std::vector<Member> members_;
  std::map<std::uint32_t, std::uint64_t> own_;  ///< of the process that is read
  FrameSharing sharing_;                        ///< of members, and by kind
  /// A file without a path of which processes have descriptors.
  struct HeldFile {
    FileKey key;
    MappedKind kind = MappedKind::kNameless;
    std::uint64_t pages = 0;
    std::set<std::uint64_t> pids = {};
    std::set<std::uint32_t> members = {};  ///< of these, or kOutside
  };
  std::vector<HeldFile> held_;
  std::map<FileKey, std::uint32_t> held_numbers_;
  bool knows_holders_ = false;
  std::uint64_t hidden_holders_ = 0;
  std::optional<std::uint64_t> collector_;  ///< its process id
  bool have_processes_ended_ = false;
  std::uint64_t tasks_ = 0;
  bool has_all_tasks_ = false;
  std::optional<std::uint64_t> kernel_stack_kib_;     ///< of all tasks
  std::map<std::uint64_t, std::uint64_t> table_kib_;  ///< page tables, by pid
  /// Bytes of the kernel's large objects, by the names of their slab caches.
  std::map<std::string, std::uint64_t> object_bytes_;
  std::uint64_t swap_cache_ = 0;  ///< of all processes, in pages
  /// Files without a path, and the members that map or hold them.
  std::map<FileKey, std::set<std::uint32_t>> nameless_;
  std::map<std::uint64_t, FileKey> nameless_owners_;  ///< owners of R:
  std::map<FileKey, std::map<MappedKind, std::uint64_t>> unmapped_;
  std::vector<StopSet> sets_;
};

}  // namespace physmem
