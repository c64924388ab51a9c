// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {

constexpr std::uint64_t kLoad = 0xFFFFFFFF81200000;  ///< a function that allocates
constexpr std::uint64_t kAlloc = 2, kIoremap = 1;    ///< flags of struct vm_struct

/// An area of vmalloc that maps the frames from first_pfn on; a guard page follows.
struct FakeVmalloc {
  std::uint64_t start = kMapped, pages = 1, first_pfn = 0, caller = kLoad;
  std::uint64_t flags = kAlloc;
  bool has_pages = true;
};

/// What a simulated kernel knows of its own memory: the map of RAM, a zone, totals, areas, modules.
class FakeRam {
 public:
  /// Adds empty lists to the kernel, and a map without RAM.
  explicit FakeRam(FakeKernel& kernel);

  /// Adds a resource after its siblings and returns it. parent 0: the root.
  std::uint64_t resource(std::uint64_t first, std::uint64_t last, std::string_view name,
                         std::uint64_t parent = 0);
  /// A node with one zone and two CPUs, whose lists have 3 and 4 pages. Returns the zone.
  std::uint64_t add_zone();
  /// All 4 GiB as sections of 128 MiB. Sections with a bit of `offline` are not in use.
  void add_sections(std::uint64_t offline = 0);
  /// Returns the struct vmap_area.
  std::uint64_t add(const FakeVmalloc& area);
  /// Adds a process whose stack is there. Returns its task.
  std::uint64_t add_task(std::uint64_t pid, std::uint64_t stack);
  /// A module of 100 bytes.
  std::uint64_t add_module(std::uint64_t base);
  std::uint64_t section(std::uint64_t pfn) const;  ///< its struct mem_section
  void variable(const char* name, std::size_t bytes, std::uint64_t value);
  void array(const char* name, const std::vector<std::uint64_t>& values);

 private:
  FakeKernel& kernel_;
  bool has_nodes_;
  std::uint64_t root_ = 0, areas_ = 0, modules_ = 0, sections_ = 0;
};

}  // namespace physmem::crash
