// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

/// /proc/kcore: the kernel's memory as an ELF core file. Segments are found by virtual address, and
/// RAM segments also by physical address (from Linux 4.14 on).
class KernelCore {
 public:
  /// An error says why it cannot be used: no CONFIG_PROC_KCORE, no root, lockdown=confidentiality.
  static Result<KernelCore> open(const ProcTree& tree);

  /// False if no segment has all of the bytes, or if the kernel refuses them.
  bool read_virtual(std::uint64_t at, void* to, std::size_t bytes) const;
  bool read_physical(std::uint64_t at, void* to, std::size_t bytes) const;

  /// The text of the note VMCOREINFO, lines "KEY=VALUE"; empty if there is none.
  const std::string& vmcoreinfo() const { return vmcoreinfo_; }
  /// A number of VMCOREINFO, such as "NUMBER(PAGE_BUDDY_MAPCOUNT_VALUE)".
  std::optional<std::int64_t> number(std::string_view key) const;

 private:
  struct Segment {
    std::uint64_t address = 0;
    std::uint64_t physical = 0;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;  ///< in the file
  };

  explicit KernelCore(UniqueFd file) : file_(std::move(file)) {}
  bool read_head();
  void read_note(std::uint64_t offset, std::uint64_t bytes);
  bool read_file(std::uint64_t offset, void* to, std::size_t bytes) const;

  UniqueFd file_;
  std::vector<Segment> segments_;
  std::string vmcoreinfo_;
};

}  // namespace physmem::collect
