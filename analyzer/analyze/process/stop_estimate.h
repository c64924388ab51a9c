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

/// For a set of processes, with all the others of the snapshot.
class StopEstimate : public Analysis {
 public:
  /// `set`: the processes that end.
  explicit StopEstimate(ProcessFilter set) : set_(std::move(set)) {}

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_holder(const Holder& holder) override;
  void on_task(const Task& task) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

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
  };
  const Frames& frames(MappedKind kind) const { return frames_[static_cast<std::size_t>(kind)]; }

  /// Processes that map frames of the set, or hold files of it by descriptors, by command.
  struct Keeper {
    std::string name;
    std::uint64_t processes = 0;
    std::uint64_t frames = 0;  ///< a frame that several commands map counts for each
  };
  /// Ordered by frames, the most first.
  const std::vector<Keeper>& keepers() const { return keepers_; }

  std::uint64_t processes() const { return processes_; }  ///< of the set
  std::uint64_t threads() const { return threads_; }
  /// Processes of the set whose pages are not known.
  std::uint64_t unread() const { return unread_; }
  /// Nothing: not in the snapshot, as for stacks if it does not have all tasks.
  std::optional<std::uint64_t> page_table_kib() const { return page_table_kib_; }
  std::optional<std::uint64_t> stack_kib() const;
  /// Objects of the kernel for each thread, process and area. Nothing: their sizes are not known.
  std::optional<std::uint64_t> object_bytes() const { return object_bytes_; }
  /// Pages of the set that were written to swap and are still in RAM. Nothing: other processes have
  /// swapped pages, too, and the swap cache does not show the process.
  std::optional<std::uint64_t> swap_cache() const;
  /// Slots that only the set has, in pages.
  std::uint64_t swap_slots() const { return swap_slots_; }
  /// Whether the snapshot says what all processes hold by descriptors.
  bool knows_holders() const { return knows_holders_ && has_all_tasks_; }
  /// Processes whose descriptors are not known.
  std::uint64_t hidden_holders() const { return hidden_holders_; }
  /// Whether counts are those of mappings, and pages are listed.
  bool is_known() const;

 private:
  using FileKey = std::pair<std::uint64_t, std::uint64_t>;  ///< device, inode

  bool is_in_set(const Process& process) const { return set_.has(process.task); }
  void add_to_set(const Process& process);
  void judge_holders();
  void keep_held();
  std::uint64_t objects_of(const std::string& cache) const;
  void add_pattern(const FrameSharing::Pattern& pattern);
  void set_keepers();

  ProcessFilter set_;
  Header header_;
  /// By MappedKind, then those of files that are held, by their indices in held_.
  std::vector<Frames> frames_ = std::vector<Frames>(kMappedKinds);
  /// A file without a path of which processes have descriptors.
  struct HeldFile {
    FileKey key;
    MappedKind kind = MappedKind::kNameless;
    std::uint64_t pages = 0;
    std::set<std::uint64_t> holders = {};  ///< process ids
    bool is_held_by_set = false;
    bool is_held_by_others = false;
  };
  std::vector<HeldFile> held_;
  std::map<FileKey, std::size_t> held_numbers_;
  bool knows_holders_ = false;
  bool are_holders_judged_ = false;
  std::uint64_t hidden_holders_ = 0;
  FrameSharing sharing_;
  /// A process that has been read.
  struct Member {
    std::string name;
    bool is_in_set = false;
    std::uint64_t pid = 0;
    std::uint64_t shared = 0;  ///< frames of the set that it maps, too
  };
  std::vector<Member> members_;
  std::map<std::string, std::uint64_t> shared_by_name_;
  std::vector<Keeper> keepers_;
  std::uint64_t tasks_ = 0;
  bool has_all_tasks_ = false;
  std::uint64_t processes_ = 0, threads_ = 0, unread_ = 0;
  std::optional<std::uint64_t> kernel_stack_kib_;     ///< of all tasks
  std::map<std::uint64_t, std::uint64_t> table_kib_;  ///< page tables, by pid
  std::optional<std::uint64_t> page_table_kib_;
  std::uint64_t areas_ = 0;  ///< of the set
  std::optional<std::uint64_t> object_bytes_;
  std::uint64_t swap_cache_ = 0;  ///< of all processes, in pages
  SwapSlots set_slots_, other_slots_;
  std::uint64_t swap_slots_ = 0;
  std::set<FileKey> nameless_;     ///< files without a path that the set maps
  std::set<FileKey> kept_;         ///< those that others map
  std::set<std::uint64_t> alone_;  ///< owners of R:, those that only the set maps
};

}  // namespace physmem
