// SPDX-License-Identifier: MIT
// Which cgroup pays for each frame, and which cgroups use it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/owner_directory.h"
#include "analyzer/analyze/process/frame_sharing.h"

namespace physmem {

/// What a cgroup pays for.
enum class PaidKind : std::uint8_t {
  kAnonymous,  ///< with the swap cache
  kCleanFile,  ///< page cache of files and block devices
  kDirtyFile,  ///< the same, to be written, or being written
  kShmem,      ///< tmpfs and other shared memory
  kHugetlb,    ///< only if hugetlb is charged: memory_hugetlb_accounting, from Linux 6.7 on
  kPageTables,
  kStacks,  ///< of the kernel, for its threads
  kOther,   ///< the kernel's other pages; slab objects are counted by object, not by page
};
inline constexpr std::size_t kPaidKinds = static_cast<std::size_t>(PaidKind::kOther) + 1;

/// What the kernel says of a group with those below it (counters cgroup.ID.* of
/// formats/physmem-records.md). Nothing: not in the snapshot, or no limit.
struct CgroupCounters {
  std::optional<std::uint64_t> current_kib;
  std::optional<std::uint64_t> limit_kib;  ///< memory.max
  std::optional<std::uint64_t> high_kib;   ///< memory.high
  std::optional<std::uint64_t> swap_kib;
  std::optional<std::uint64_t> slab_kib;
  std::optional<std::uint64_t> reclaimable_slab_kib;
  std::optional<std::uint64_t> sockets_kib;
  std::optional<std::uint64_t> percpu_kib;
  std::optional<std::uint64_t> stalled_us;    ///< some task waited for memory, since it was created
  std::optional<std::uint64_t> high_events;   ///< how often memory.high held its tasks back
  std::optional<std::uint64_t> limit_events;  ///< how often it was about to exceed its limit
  std::optional<std::uint64_t> oom_kills;
};

/// A cgroup with all those below it. Pages.
struct CgroupUse {
  std::string path;         ///< "/" is the root
  bool is_deleted = false;  ///< groups with this path that were deleted and still pay for pages
  std::size_t depth = 0;    ///< groups above it that have a row
  std::uint64_t processes = 0;
  std::array<std::uint64_t, kPaidKinds> paid{};
  std::uint64_t reclaimable = 0;  ///< of the clean files, without locked ones
  std::uint64_t uses = 0;         ///< frames that its processes map, each once
  /// Of what it pays for: mapped by its own processes, and perhaps by others.
  std::uint64_t used_by_itself = 0;
  std::uint64_t used_by_others = 0;  ///< mapped, but not by its own processes
  std::uint64_t unmapped = 0;        ///< mapped by no process
  /// Frames that its processes map and that groups outside of it pay for.
  std::uint64_t paid_by_others = 0;
  std::uint64_t uncharged = 0;  ///< the same, charged to no group, as huge pages are
  CgroupCounters counters;

  std::uint64_t pays() const;
  std::uint64_t file() const { return of(PaidKind::kCleanFile) + of(PaidKind::kDirtyFile); }
  std::uint64_t kernel() const {
    return of(PaidKind::kPageTables) + of(PaidKind::kStacks) + of(PaidKind::kOther);
  }
  std::uint64_t of(PaidKind kind) const { return paid[static_cast<std::size_t>(kind)]; }
};

/// Pages of one file, or of memory without a file, that one group pays for, without those below it.
struct CgroupFile {
  const CgroupUse* payer = nullptr;
  const RamOwner* file = nullptr;  ///< null: memory of `kind` without a known file
  PaidKind kind = PaidKind::kAnonymous;
  std::uint64_t pages = 0;
  std::uint64_t unused = 0;     ///< mapped by no process
  std::uint64_t by_others = 0;  ///< mapped by a process of another group than the payer
  /// Groups whose processes map pages of it, and how many, the most first. A page counts in each.
  std::vector<std::pair<const CgroupUse*, std::uint64_t>> users = {};
};

/// Needs the pages of all processes and the frames of RAM. A frame that several groups map has one
/// payer: the group whose process touched it first, or had it read ahead. Memory: as FrameSharing,
/// and 32 bytes for each combination of payer, owner and sharers.
class CgroupUses : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_area(const Process&, const Area& area) override { directory_.on_area(area.vma); }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  /// Groups in the order of the tree: below a group, the one that pays for most first.
  const std::vector<CgroupUse>& groups() const { return groups_; }
  /// By what other groups use of it, then by pages, the most first. Refers to this object.
  std::vector<CgroupFile> files() const;

  /// Whether the snapshot says which group pays for a frame; otherwise only `uses` is known.
  bool is_known() const { return header_.ram == Header::Ram::kAll && has_payers_; }
  /// Whether it says which processes map a frame; otherwise `uses` and what follows are unknown.
  bool knows_users() const { return header_.has_pages && !header_.pfn_hidden; }
  /// Processes whose pages are not known.
  std::uint64_t unread() const { return unread_; }
  const Header& header() const { return header_; }

 private:
  /// A group, as its index in tree_ plus 1.
  using Node = std::uint32_t;
  static constexpr Node kNone = 0;

  /// Frames of one use.
  struct Key {
    Node payer = kNone;
    std::uint32_t pattern = 0;  ///< of FrameSharing
    std::uint32_t owner = 0;    ///< index in owners_ plus 1; 0: none
    PaidKind kind = PaidKind::kOther;
    bool is_locked = false;

    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  struct Group {
    CgroupUse use;             ///< first of the group alone, at last with those below it
    std::uint64_t number = 0;  ///< inode; 0: not known
    Node parent = kNone;
    std::vector<Node> below = {};
    std::size_t row = 0;  ///< in groups_, the first of its part of the tree
    std::size_t end = 0;  ///< after the last row of that part
  };

  Group& at(Node node) { return tree_[node - 1]; }
  const Group& at(Node node) const { return tree_[node - 1]; }
  Node node_of(const std::string& path, bool is_deleted);
  Node parent_of(const std::string& path) const;
  void add(const RamRun& run, std::uint64_t pages, std::uint32_t pattern);
  std::vector<Node> users_of(std::uint32_t pattern) const;
  bool is_in(Node node, const Group& group) const {
    return node != kNone && at(node).row >= group.row && at(node).row < group.end;
  }
  void link_tree();
  void set_numbers();
  void sum_up(Node node);
  void order(Node node, std::size_t depth);
  void add_mapped();
  void add_uses();
  void add_use(Node payer, const std::vector<Node>& users, std::uint64_t pages);

  Header header_;
  bool has_payers_ = false;
  std::uint64_t unread_ = 0;
  std::map<std::pair<std::string, bool>, Node> nodes_;  ///< by path, and whether it is deleted
  std::vector<Group> tree_;
  FrameSharing sharing_;
  std::vector<Node> group_of_;  ///< of each process in sharing_
  OwnerDirectory directory_;
  std::vector<RamOwner> owners_;  ///< by their indices in directory_
  std::vector<Node> payers_;      ///< of the same; kNone: no group
  std::unordered_map<Key, std::uint64_t, Hash> uses_;
  std::map<std::uint64_t, CgroupCounters> counters_;          ///< by number
  std::unordered_map<std::uint64_t, std::uint64_t> parents_;  ///< numbers of the groups above
  std::vector<CgroupUse> groups_;
};

}  // namespace physmem
