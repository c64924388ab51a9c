// SPDX-License-Identifier: MIT
// Reads the areas and pages of one process at a time, and passes them on as a snapshot.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "analyzer/model/page_batch.h"
#include "analyzer/parse/events.h"
#include "collector-proc/frame_cache.h"
#include "collector-proc/frame_table.h"
#include "collector-proc/page_walk.h"
#include "collector-proc/process_reader.h"

namespace physmem::top {

class PageReader {
 public:
  /// The tree must outlive it.
  PageReader(const collect::ProcTree& tree, std::uint64_t page_size);

  /// Begins a round. Count and flags of a frame are read once per round. Returns false if the
  /// kernel hides frame numbers; then nothing can be read.
  bool begin();
  /// Passes one process on, from header to end. The events are valid only after kRead.
  collect::Access read(collect::Pid pid, Events& to, std::stop_token stop = {});
  /// Forgets the frames of the round, but keeps the memory of their table for the next one.
  void end();

  /// Resident pages passed on so far.
  std::uint64_t pages() const { return pages_read_; }

 private:
  collect::Access read_areas(Events& to, std::stop_token stop);
  void pass_on(const collect::AreaPages& pages, Events& to);
  void pass_on_run(const collect::PageRun& run, Events& to);

  void forget_frames();
  void release_frames();

  const collect::ProcTree& tree_;
  std::uint64_t page_size_;
  Header header_;
  collect::ProcessReader reader_;
  std::optional<collect::FrameTable> table_;
  std::optional<collect::FrameCache> frames_;
  std::optional<collect::PageWalk> walk_;
  std::vector<bool> is_table_used_;  ///< pages of the table that have memory
  std::size_t table_pages_ = 0;
  collect::Process process_;
  collect::AreaSource source_;
  collect::AreaPages pages_;
  PageBatch batch_;
  std::uint64_t pages_read_ = 0;
};

}  // namespace physmem::top
