// SPDX-License-Identifier: MIT
// Which processes map each frame.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/model/sparse_table.h"

namespace physmem {

/// Frames that have the same mappings, in the order of the snapshot, have one pattern, such as
/// those of a library that the same 40 processes map. Memory: 4 bytes per frame that is added and
/// 32 per pattern. There are at most as many patterns as runs that differ in what maps their
/// frames.
class FrameSharing {
 public:
  /// Frames with the same mappings.
  struct Pattern {
    std::span<const std::uint32_t> processes;  ///< each once
    std::uint32_t kind = 0;
    bool is_complete = true;  ///< false: the kernel counts more mappings than the snapshot has
    std::uint64_t frames = 0;
  };

  void clear();
  /// A page-table entry of each page of the run, by the process. The processes are numbered from 0,
  /// and come one after the other. `kind`: what the caller knows of the frames; that of the first
  /// entry counts.
  void add(const Header& header, const PageRun& run, std::uint32_t process, std::uint32_t kind = 0);

  /// To be called some runs before add(): neighbouring runs are far apart in RAM.
  void prefetch(std::uint64_t frame) const { frames_.prefetch(frame); }

  /// The number of the frame's pattern so far; 0: nothing maps it.
  std::uint32_t pattern_at(std::uint64_t frame) const {
    const Number* const cell = frames_.find(frame);
    return cell == nullptr ? 0 : *cell;
  }
  /// The processes of the pattern with this number, as in Pattern.
  void get_processes(std::uint32_t pattern, std::vector<std::uint32_t>& processes) const {
    collect(nodes_[pattern], processes);
  }

  /// Calls visit(pattern) for each.
  template <class Visit>
  void for_each(Visit visit) const {
    std::vector<std::uint32_t> processes;
    for (const Node& node : nodes_) {
      if (node.frames == 0 || node.mappings == 0) continue;
      collect(node, processes);
      visit(Pattern{processes, node.kind, node.mappings >= node.count, node.frames});
    }
  }

 private:
  using Number = std::uint32_t;  ///< of a node; 0: no mapping so far

  /// A sequence of mappings, as a chain from the last one to the first.
  struct Node {
    Number before = 0;  ///< the sequence without the last mapping
    std::uint32_t process = 0;
    std::uint32_t mappings = 0;
    std::uint32_t count = 0;  ///< the kernel's, at the first mapping
    std::uint32_t kind = 0;
    Number latest = 0;         ///< the last node that has one mapping more
    std::uint64_t frames = 0;  ///< that have this sequence, so far
  };

  void advance(std::span<Number> cells, std::uint32_t process, std::uint32_t count,
               std::uint32_t kind);
  Number next(Number from, std::uint32_t process, std::uint32_t count, std::uint32_t kind);
  void collect(const Node& node, std::vector<std::uint32_t>& processes) const;

  SparseTable<Number, 512> frames_;
  std::vector<Node> nodes_{1};
  std::unordered_map<std::uint64_t, Number> first_;  ///< of the process, by kind and count
  std::uint32_t process_ = 0;
};

/// Frames whose counted mappings, at least two, are all in one group, for each of `size` groups.
/// `groups`: the group of each process.
std::vector<std::uint64_t> frames_in_one_group(const FrameSharing& sharing,
                                               std::span<const std::uint32_t> groups,
                                               std::size_t size);

}  // namespace physmem
