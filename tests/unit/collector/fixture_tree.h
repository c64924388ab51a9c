// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/collect.h"
#include "collector-proc/counters_reader.h"

namespace physmem::collect {

inline constexpr std::uint64_t kPageSize = 4096;  ///< of all fixtures

/// Entries of pagemap in the format of the kernel.
constexpr std::uint64_t present(std::uint64_t pfn) {
  return std::uint64_t{1} << 63 | pfn;
}
constexpr std::uint64_t swapped(std::uint64_t type, std::uint64_t slot) {
  return std::uint64_t{1} << 62 | slot << 5 | type;
}

/// The stat and status values of a fixture task. Each field has a different number, so that a test
/// detects swapped fields.
struct FakeTask {
  std::uint64_t tid = 0;
  std::string comm = "task";
  char state = 'S';
  std::uint64_t ppid = 1;
  std::uint64_t flags = 0;
  std::uint64_t vsize = 1 << 20;  // 0: no address space
  std::uint64_t uid = 1000;
  std::uint64_t threads = 1;  // as stated by its process
};

/// A small /proc tree in a temporary directory. The destructor removes it.
class FixtureTree {
 public:
  FixtureTree();
  FixtureTree(const FixtureTree&) = delete;
  FixtureTree& operator=(const FixtureTree&) = delete;
  ~FixtureTree();

  const std::string& root() const { return root_; }
  void file(const std::string& path, std::string_view text);
  void link(const std::string& path, const std::string& target);
  void remove(const std::string& path);

  /// A process of one thread, with maps and an empty pagemap.
  void process(const FakeTask& task, std::string_view maps = "");
  /// Adds a thread to process `pid`, or its first one.
  void thread(std::uint64_t pid, const FakeTask& task, std::string_view maps = "");

  /// Sets the pagemap entry of the page at `address` (in bytes) of process `pid`. Pages have 4096
  /// bytes.
  void page(std::uint64_t pid, std::uint64_t address, std::uint64_t entry);
  void frame(std::uint64_t pfn, std::uint64_t count, std::uint64_t flags);
  /// Sets entry `index` of a file of 64-bit numbers, such as kpagecgroup.
  void entry(const std::string& path, std::uint64_t index, std::uint64_t value);

 private:
  std::string root_;
};

struct Collected {
  std::string text;  // without the first lines: the H: record and the G: record of the system
  std::string header;
  Losses losses;
  std::string error;
  Exit status = Exit::kDone;
};

/// "NAME=VALUE" of each.
std::vector<std::string> lines_of(const std::vector<Counter>& counters);

/// Collects a snapshot of the tree, for a machine with pages of 4096 bytes.
Collected snapshot_of(const FixtureTree& tree, const Scope& scope = {}, std::size_t jobs = 1);

}  // namespace physmem::collect
