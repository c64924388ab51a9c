// SPDX-License-Identifier: MIT
// Address spaces of a FakeKernel: the list and the tree of areas, and the page tables.
#include <algorithm>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

constexpr std::size_t kLeafSlots = 16;
constexpr std::size_t kInnerSlots = 10;
constexpr std::uint64_t kTableBits = 0x67;

std::uint64_t entry_address(std::uint64_t table, std::uint64_t va, unsigned level) {
  return table + 8 * (va >> (12 + 9 * level) & 511);
}

}  // namespace

std::uint64_t FakeKernel::add_mm() {
  const std::uint64_t mm = allocate("mm_struct");
  put(mm, "mm_struct.pgd",
      memory.allocate("page table " + std::to_string(levels_ - 1), kPage, kPage));
  put(mm, "mm_struct.mm_users", 1);
  areas_[mm];
  return mm;
}

std::uint64_t FakeKernel::add_area(std::uint64_t mm, const FakeArea& area) {
  const std::uint64_t vma = allocate("vm_area_struct");
  put(vma, "vm_area_struct.vm_start", area.start);
  put(vma, "vm_area_struct.vm_end", area.end);
  put(vma, "vm_area_struct.vm_flags", area.flags);
  put(vma, "vm_area_struct.vm_page_prot", area.prot);
  put(vma, "vm_area_struct.vm_pgoff", area.pgoff);
  put(vma, "vm_area_struct.vm_file", area.file);
  areas_[mm].emplace_back(area.start, vma);
  return vma;
}

std::uint64_t FakeKernel::table(std::uint64_t mm, std::uint64_t va, unsigned level) {
  std::uint64_t table = get(mm, "mm_struct.pgd");
  for (unsigned above = levels_ - 1; above > level; --above) {
    const std::uint64_t at = entry_address(table, va, above);
    if (memory.get(at, 8) == 0) {
      const std::uint64_t allocated =
          memory.allocate("page table " + std::to_string(above - 1), kPage, kPage);
      memory.put(at, 8, FakeMemory::physical(allocated) | kTableBits);
      put(mm, "mm_struct.pgtables_bytes", get(mm, "mm_struct.pgtables_bytes") + kPage);
    }
    table = FakeMemory::kDirectMap + (memory.get(at, 8) & 0x000FFFFFFFFFF000);
  }
  return table;
}

void FakeKernel::set_entry(std::uint64_t mm, std::uint64_t va, std::uint64_t entry,
                           unsigned level) {
  memory.put(entry_address(table(mm, va, level), va, level), 8, entry);
}

void FakeKernel::map_page(std::uint64_t mm, std::uint64_t va, std::uint64_t pfn,
                          const FakeFrame& frame) {
  set_entry(mm, va, present(pfn));
  set_frame(pfn, frame);
}

void FakeKernel::finish() {
  for (auto& [mm, areas] : areas_) {
    std::sort(areas.begin(), areas.end());
    write_list(mm);
    write_tree(mm);
    put(mm, "mm_struct.map_count", areas.size());
  }
}

void FakeKernel::write_list(std::uint64_t mm) {
  std::uint64_t next = 0;
  const auto& areas = areas_.at(mm);
  for (auto area = areas.rbegin(); area != areas.rend(); ++area) {
    put(area->second, "vm_area_struct.vm_next", next);
    next = area->second;
  }
  put(mm, "mm_struct.mmap", next);
}

/// Each address belongs to one slot. Holes have slots with the value 0.
void FakeKernel::write_tree(std::uint64_t mm) {
  std::vector<Slot> slots;
  std::uint64_t next = 0;
  for (const auto& [start, vma] : areas_.at(mm)) {
    if (start > next) slots.emplace_back(start - 1, 0);
    next = get(vma, "vm_area_struct.vm_end");
    slots.emplace_back(next - 1, vma);
  }
  if (slots.empty()) return;
  slots.emplace_back(~std::uint64_t{0}, 0);
  bool is_leaf = true;
  while (slots.size() > (is_leaf ? kLeafSlots : kInnerSlots)) {
    slots = write_nodes(slots, is_leaf, 0x4);
    is_leaf = false;
  }
  slots = write_nodes(slots, is_leaf, 0x2);
  put(mm, "mm_struct.mm_mt/maple_tree.ma_root", slots[0].second);
}

/// `mark` is the low bits that the kernel sets in node pointers. A root has other bits.
std::vector<FakeKernel::Slot> FakeKernel::write_nodes(const std::vector<Slot>& entries,
                                                      bool is_leaf, std::uint64_t mark) {
  const std::string type = is_leaf ? "maple_range_64" : "maple_arange_64";
  const std::uint64_t kind = types.number("maple_leaf_64") + (is_leaf ? 0 : 2);
  const std::size_t max_slots = is_leaf ? kLeafSlots : kInnerSlots;
  std::vector<Slot> nodes;
  for (std::size_t i = 0; i < entries.size(); i += max_slots) {
    const std::size_t n = std::min(max_slots, entries.size() - i);
    const std::uint64_t node = memory.allocate("maple node", types.size(type), 256);
    for (std::size_t j = 0; j < n; ++j) {
      if (j + 1 < max_slots) memory.put(at(node, type + ".pivot") + 8 * j, 8, entries[i + j].first);
      memory.put(at(node, type + ".slot") + 8 * j, 8, entries[i + j].second);
    }
    nodes.emplace_back(entries[i + n - 1].first, node | kind << 3 | mark);
  }
  return nodes;
}

}  // namespace physmem::crash
