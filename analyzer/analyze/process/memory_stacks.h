// SPDX-License-Identifier: MIT
// The pages of each process by region and unit: the bars of a flame graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/unit_names.h"

namespace physmem {

struct StackProcess {
  std::string name;
  std::uint64_t pid = 0;
  std::string cgroup;  ///< empty: unknown
};

/// The pages of one process in one region of one unit.
struct MemoryStack {
  std::size_t process = 0;  ///< index in processes()
  Region region = Region::kUnexplained;
  UnitKey unit;  ///< also of a bss
  PageTally pages;
};

/// The sum of all stacks is the Rss of all processes. Memory: a row per stack, of one snapshot.
class MemoryStacks : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_process(const Process& process) override;

  const std::vector<StackProcess>& processes() const { return processes_; }
  /// Each process, region and unit once, in the order of the snapshot. None is without pages.
  const std::vector<MemoryStack>& stacks() const { return stacks_; }
  /// The name of its unit; empty: none.
  std::string unit_of(const MemoryStack& stack) const { return names_.label(stack.unit); }
  /// False if the snapshot does not list all pages: their share is then too small.
  bool is_share_known() const { return is_share_known_; }

 private:
  using Key = std::pair<Region, UnitKey>;
  void add(const Key& key, const PageTally& pages);

  std::vector<StackProcess> processes_;
  std::vector<MemoryStack> stacks_;
  UnitNames names_;
  std::map<Key, std::size_t> of_process_;  ///< indices in stacks_, of the current process
  bool is_share_known_ = true;
};

}  // namespace physmem
