// SPDX-License-Identifier: MIT
// Counts of our own: how many entries of all page tables (M:) point to each frame, against the
// kernel's counts of its mappings (in M: and in R:).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/mapping_sweep.h"
#include "analyzer/model/ram.h"

namespace physmem {

/// Frames whose mappings differ from their count.
struct MiscountedFrames {
  std::uint64_t first_pfn = 0;
  std::uint64_t pages = 0;
  FrameClass use = PM_RAM_UNKNOWN;
  std::uint64_t owner = 0;     ///< as in R:
  std::uint64_t mappings = 0;  ///< of each frame, in the page tables of the snapshot
  std::uint64_t count = 0;     ///< the kernel's, in R:
  /// The kernel's in M:, the mean of all entries; nothing without entries.
  std::optional<std::uint64_t> listed;
};

/// Memory of processes and page cache only: the kernel does not count mappings of its own memory,
/// such as the vdso's data. All M: lines come before the first R:, so each run of R: is compared
/// when it comes.
class MappingJoin : public Analysis {
 public:
  void on_header(const Header& header) override {
    *this = {};
    header_ = header;
  }
  void on_counters(std::span<const Counter> counters) override;
  void on_task(const Task& task) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_ram(const RamRun& run) override;
  void on_end() override;

  /// Why the counts cannot be compared; empty if they can.
  std::string_view obstacle() const;
  std::uint64_t mappings() const { return mappings_; }  ///< of the frames that are compared
  std::uint64_t counted() const { return counted_; }    ///< their counts, added up
  std::uint64_t frames() const { return frames_; }      ///< that have a mapping or a count
  /// Whether the snapshot has R: lines.
  bool has_runs() const { return is_joined_; }
  /// By frame; the first kMaxListed of them.
  const std::vector<MiscountedFrames>& differences() const { return differences_; }
  static constexpr std::size_t kMaxListed = std::size_t{1} << 16;
  std::size_t different_runs() const { return different_runs_; }
  std::uint64_t different_frames() const { return different_frames_; }
  /// A dump is of one moment; otherwise processes ran between the lines M: and R:.
  bool is_of_one_moment() const { return header_.collector == "crash"; }

  /// A frame with a number of pages, or with a count.
  struct Finding {
    std::uint64_t pfn = 0;
    std::uint64_t number = 0;
  };
  /// Frames outside of RAM that processes map and whose mappings the kernel counts, or that are in
  /// its lists of pages (LRU), although these should contain frames of RAM only: the first frame,
  /// and how many.
  const Finding& outside_of_ram() const { return outside_; }
  /// Entries of all page tables (M:), without those that the kernel does not count.
  std::uint64_t entries() const { return listed_; }
  /// The frame with the largest count, in M: or R:.
  const Finding& most_mapped() const { return most_mapped_; }

 private:
  /// Frames that are no RAM.
  void pass_outside(std::uint64_t begin, std::uint64_t end);
  void compare(const RamRun& run);
  void note(const RamRun& run, std::uint64_t begin, std::uint64_t end);
  void note_count(std::uint64_t pfn, std::uint64_t count);

  Header header_;
  bool has_all_processes_ = false;
  bool has_hidden_areas_ = false;
  MappingSweep entries_;
  MappingSweep uncounted_;  ///< those in lists of pages whose count in M: is 0: few, or none
  std::uint64_t listed_ = 0;
  bool is_joined_ = false;
  std::uint64_t at_ = 0;  ///< the end of the last run
  std::uint64_t mappings_ = 0;
  std::uint64_t counted_ = 0;
  std::uint64_t frames_ = 0;
  std::uint64_t different_frames_ = 0;
  std::size_t different_runs_ = 0;
  std::vector<MiscountedFrames> differences_;
  Finding outside_;
  Finding most_mapped_;
};

}  // namespace physmem
