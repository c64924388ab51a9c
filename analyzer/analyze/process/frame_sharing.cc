// SPDX-License-Identifier: MIT
#include "analyzer/analyze/process/frame_sharing.h"

#include <algorithm>
#include <limits>

namespace physmem {

void FrameSharing::clear() {
  *this = {};
}

void FrameSharing::add(const Header& header, const PageRun& run, std::uint32_t process,
                       std::uint32_t kind) {
  constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint32_t>::max();
  if (process != process_) first_.clear();
  process_ = process;
  const auto count = static_cast<std::uint32_t>(std::min(run.count, kMaxCount));
  const std::uint64_t first = header.frame(run.value);
  if (first + run.pages <= header.linear_frames())
    return frames_.for_each_stretch(
        first, run.pages, [&](std::span<Number> cells) { advance(cells, process, count, kind); });
  // In crafted files, frames of a run may not be adjacent.
  for (std::uint64_t i = 0; i < run.pages; ++i)
    advance({&frames_[header.frame(run.value + i * header.page_size.bytes)], 1}, process, count,
            kind);
}

void FrameSharing::advance(std::span<Number> cells, std::uint32_t process, std::uint32_t count,
                           std::uint32_t kind) {
  for (std::size_t i = 0; i < cells.size();) {
    const Number from = cells[i];
    const Number to = next(from, process, count, kind);
    const std::size_t begin = i;
    for (; i < cells.size() && cells[i] == from; ++i) cells[i] = to;
    if (from != 0) nodes_[from].frames -= i - begin;
    nodes_[to].frames += i - begin;
  }
}

/// Processes come one after the other, so a node that is used again is the latest one, unless it
/// has one mapping only: there counts and kinds differ.
FrameSharing::Number FrameSharing::next(Number from, std::uint32_t process, std::uint32_t count,
                                        std::uint32_t kind) {
  Number& found = from == 0 ? first_[std::uint64_t{kind} << 32 | count] : nodes_[from].latest;
  if (found != 0 && nodes_[found].process == process) return found;
  const auto number = static_cast<Number>(nodes_.size());
  found = number;
  Node node = from == 0 ? Node{.count = count, .kind = kind} : nodes_[from];
  node.before = from;
  node.process = process;
  ++node.mappings;
  node.latest = 0;
  node.frames = 0;
  nodes_.push_back(node);
  return number;
}

void FrameSharing::collect(const Node& node, std::vector<std::uint32_t>& processes) const {
  processes.assign(1, node.process);
  for (Number before = node.before; before != 0; before = nodes_[before].before)
    if (nodes_[before].process != processes.back()) processes.push_back(nodes_[before].process);
}

std::vector<std::uint64_t> frames_in_one_group(const FrameSharing& sharing,
                                               std::span<const std::uint32_t> groups,
                                               std::size_t size) {
  std::vector<std::uint64_t> frames(size);
  sharing.for_each([&](const FrameSharing::Pattern& pattern) {
    const std::uint32_t group = groups[pattern.processes.front()];
    if (pattern.is_complete &&
        std::all_of(pattern.processes.begin(), pattern.processes.end(),
                    [&](std::uint32_t process) { return groups[process] == group; }))
      frames[group] += pattern.frames;
  });
  return frames;
}

}  // namespace physmem
