// SPDX-License-Identifier: MIT
// What a snapshot says of single frames: their use, the cgroup that pays, and their mappings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/owner_directory.h"

namespace physmem {

/// A page-table entry that points to a frame.
struct FrameMapping {
  std::uint64_t pid = 0;
  std::string command;
  std::uint64_t address = 0;
  std::string unit;  ///< the file, or the label of the area; empty: anonymous memory
  std::uint64_t vma_flags = 0;
};

struct FrameFacts {
  std::uint64_t pfn = 0;
  std::optional<RamRun> run;  ///< of this frame alone, if the snapshot has the whole of RAM
  std::optional<RamOwner> owner;
  std::optional<RamOwner> cgroup;  ///< that pays
  /// PM_PAGE_* and the kernel's count of mappings, of R: or the first mapping.
  std::optional<std::uint64_t> flags, count;
  std::vector<FrameMapping> mappings;
};

/// Memory: a record per frame that is asked for, per mapping of it, and per owner of RAM.
class FrameLookup : public Analysis {
 public:
  /// `numbers`: of frames, in the order of the rows, each once; or physical addresses in them.
  FrameLookup(std::vector<std::uint64_t> numbers, bool are_addresses)
      : numbers_(std::move(numbers)), are_addresses_(are_addresses) {}

  void on_header(const Header& header) override;
  void on_task(const Task& task) override { owners_.on_task(task); }
  void on_area(const Process&, const Area& area) override { owners_.on_area(area.vma); }
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;

  const std::vector<FrameFacts>& frames() const { return frames_; }
  bool has_ram() const { return header_.ram == Header::Ram::kAll; }

 private:
  /// Calls visit(facts) for each frame of [first, end).
  template <class Visit>
  void for_each_in(std::uint64_t first, std::uint64_t end, Visit visit);

  std::vector<std::uint64_t> numbers_;
  bool are_addresses_;
  Header header_;
  std::vector<FrameFacts> frames_;
  std::vector<std::size_t> by_pfn_;  ///< indices of frames_
  OwnerDirectory owners_;
  std::vector<RamOwner> all_owners_;
};

}  // namespace physmem
