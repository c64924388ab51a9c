// SPDX-License-Identifier: MIT
// Where the bytes of the running kernel come from, and the names of its addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

extern "C" {
#include "kernel-image/dump.h"
}

namespace physmem::collect {

class KernelSource {
 public:
  virtual ~KernelSource() = default;
  /// False if the memory does not exist, cannot be read, or must not be read.
  virtual bool read_virtual(std::uint64_t at, void* to, std::size_t bytes) = 0;
  /// Where read_list() reads to without a copy in between (pm_dump.list_bytes); nullptr: lists are
  /// not faster than one read for each item.
  virtual unsigned char* list_bytes() const { return nullptr; }
  virtual void read_list(pm_item* /*items*/, std::size_t /*n*/) {}
  /// Not asked of a source with has_gate(), which has the direct map.
  virtual bool read_physical(std::uint64_t /*at*/, void* /*to*/, std::size_t /*bytes*/) {
    return false;
  }

  /// True: the kernel itself does not refuse what must not be read, so is_plain() and frame_at()
  /// are asked before.
  virtual bool has_gate() const { return false; }
  /// Whether these addresses are struct pages of RAM or the kernel's image.
  virtual bool is_plain(std::uint64_t /*at*/, std::size_t /*bytes*/) const { return true; }
  /// The frame of RAM that the direct map has at this address.
  virtual std::optional<std::uint64_t> frame_at(std::uint64_t /*at*/) const { return std::nullopt; }
  virtual std::uint64_t virtual_of(std::uint64_t physical) const { return physical; }
  /// The task_struct of this thread; 0: not known.
  virtual std::uint64_t own_task() const { return 0; }

  /// The address of a variable or a function.
  virtual std::optional<std::uint64_t> address(std::string_view name) const = 0;
  /// "function+0x1f", or nothing if the address is in no function.
  virtual std::optional<std::string> name_of(std::uint64_t address) const = 0;
  /// False if /proc/kallsyms was read, and hides addresses.
  virtual bool has_symbols() const { return true; }
  /// What address() and name_of() know by /proc/kallsyms. To be called after the kernel's types
  /// were given back: both take several MiB. Empty, or why this is not possible.
  virtual std::string read_symbols() = 0;
};

}  // namespace physmem::collect
