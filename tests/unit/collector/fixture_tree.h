// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "collector-proc/collect.h"

namespace physmem::collect {

inline constexpr std::uint64_t kPageSize = 4096;  ///< of all fixtures

/// Entries of pagemap, as the kernel writes them.
constexpr std::uint64_t present(std::uint64_t pfn) {
  return std::uint64_t{1} << 63 | pfn;
}
constexpr std::uint64_t swapped(std::uint64_t type, std::uint64_t slot) {
  return std::uint64_t{1} << 62 | slot << 5 | type;
}

/// What a fixture task says of itself in stat and status; numbers are chosen so that each field can
/// be told.
struct FakeTask {
  std::uint64_t tid = 0;
  std::string comm = "task";
  char state = 'S';
  std::uint64_t ppid = 1;
  std::uint64_t flags = 0;
  std::uint64_t vsize = 1 << 20;  // 0: no address space
  std::uint64_t uid = 1000;
  std::uint64_t threads = 1;  // that its process says it has
};

/// A small /proc in a temporary folder, gone at the end.
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
  /// One more thread of process pid (or its first).
  void thread(std::uint64_t pid, const FakeTask& task, std::string_view maps = "");

  /// Of the process of that id; address in bytes, pages of 4096.
  void page(std::uint64_t pid, std::uint64_t address, std::uint64_t entry);
  void frame(std::uint64_t pfn, std::uint64_t count, std::uint64_t flags);

 private:
  void number(const std::string& path, std::uint64_t index, std::uint64_t value);

  std::string root_;
};

struct Collected {
  std::string text;  // without its first lines, H: and the system's G:
  std::string header;
  Losses losses;
  std::string error;
  Exit status = Exit::kDone;
};

/// A snapshot of the tree, as of a machine with pages of 4096 bytes.
Collected snapshot_of(const FixtureTree& tree, const Scope& scope = {}, std::size_t jobs = 1);

}  // namespace physmem::collect
