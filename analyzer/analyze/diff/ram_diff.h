// SPDX-License-Identifier: MIT
// Changes of the whole of RAM between two snapshots, by class and by owner of frames.
//
// A page of a file *stayed* if the same place of the same file (owner_identity.h) is in RAM in both
// snapshots; it *moved* if it is in another frame. A frame of another owner (slab cache, code,
// cgroup, task) stayed if it has the same owner in both. So before = stayed + went, and
// after = stayed + came.
//
// Memory: 24 bytes per run of the first snapshot with an owner or a cgroup, 16 more for a
// run of a file, and some 200 bytes per owner of both. The runs of the second snapshot are compared
// while it is read. Runs of more than 127 frames may be stored in parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/owner_directory.h"
#include "analyzer/analyze/owner_identity.h"
#include "analyzer/analyze/ram/ledger.h"

namespace physmem {

struct ClassChange {
  std::string name;  ///< as in class_pages.h
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

struct OwnerChange {
  OwnerIdentity owner;
  bool was_there = false;  ///< in the first snapshot
  bool is_there = false;   ///< in the second
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t stayed = 0;
  std::uint64_t moved = 0;  ///< of stayed

  std::uint64_t came() const { return after - stayed; }
  std::uint64_t went() const { return before - stayed; }
  bool has_pages() const { return before + after != 0; }
};

class RamDiff : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_zone(const Zone& zone) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  /// Whether both snapshots list the frames of RAM.
  bool is_known() const { return before_.is_known() && ledger_.is_known(); }
  /// Whether only one of them does.
  bool is_half_known() const { return before_.is_known() != ledger_.is_known(); }
  /// Whether frames of both can be compared: they are of one boot.
  bool knows_stayed() const { return knows_stayed_; }
  /// Whether files are known, if both have pages of files.
  bool has_names() const;
  /// The largest change first.
  std::vector<ClassChange> classes() const;
  /// Owners of both snapshots, changed or not: the first snapshot's, then new ones. If
  /// !knows_stayed(), nothing stayed.
  const std::vector<OwnerChange>& owners() const { return owners_; }
  bool has_changed(const OwnerChange& change) const;

 private:
  static constexpr std::uint32_t kNoOwner = ~std::uint32_t{0};
  /// A run of the first snapshot. Owners are indices in owners_, or kNoOwner.
  struct Run {
    static constexpr unsigned kDigits = 7;  ///< binary ones
    std::uint64_t first_pfn : 52;
    std::uint64_t digits : kDigits;  ///< pages = digits * 2^exponent: few bits for any length
    std::uint64_t exponent : 5;
    std::uint64_t place;
    std::uint32_t owner;
    std::uint32_t cgroup;

    std::uint64_t pages() const { return std::uint64_t{digits} << exponent; }
    std::uint64_t end() const { return first_pfn + pages(); }
    std::uint64_t place_end() const { return place + pages(); }
  };
  static_assert(sizeof(Run) == 24);
  /// Places of a file in the first snapshot: the places of a run, without the first ones if another
  /// run has them too.
  struct FilePart {
    std::uint32_t run = 0;      ///< in runs_
    std::uint32_t next = 0;     ///< itself, or a later one if it is covered: in files_
    std::uint64_t skipped = 0;  ///< pages
  };

  bool is_second() const { return snapshots_ == 2; }
  void index_before();
  void keep_disjoint();
  std::size_t uncovered(std::size_t part);
  std::uint32_t index_of(std::uint64_t id) const;
  void store(const RamRun& run, std::uint32_t owner, std::uint32_t cgroup);
  bool is_file(std::uint32_t owner) const;
  void compare_frames(const RamRun& run, std::uint32_t owner, std::uint32_t cgroup);
  void compare_places(const RamRun& run, std::uint32_t owner);

  std::size_t snapshots_ = 0;
  Ledger before_;  ///< without owners
  Ledger ledger_;
  bool knows_stayed_ = false;
  OwnerDirectory directory_;            ///< of the current snapshot
  std::vector<std::uint32_t> indices_;  ///< in owners_, of each owner of directory_
  std::vector<OwnerChange> owners_;
  OwnerIndex index_;             ///< of the owners of the first snapshot
  std::vector<Run> runs_;        ///< of the first snapshot, by frame
  std::vector<FilePart> files_;  ///< by owner and place, without common places
  std::size_t next_ = 0;         ///< in runs_: the first that does not end before the current run
};

}  // namespace physmem
