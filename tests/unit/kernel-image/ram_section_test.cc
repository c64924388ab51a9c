// SPDX-License-Identifier: MIT
// The whole of RAM from a dump: the map of memory, zones, totals, and the snapshot with all of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/emitted_text.h"
#include "tests/unit/kernel-image/fake_ram.h"

namespace physmem::crash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class RamSectionOfDump : public testing::TestWithParam<Era> {
 protected:
  RamSectionOfDump() : kernel(GetParam()), ram(kernel) { kernel.add_process({.pid = 1}); }

  std::uint64_t resource(std::uint64_t first, std::uint64_t last, std::string_view name,
                         std::uint64_t parent = 0) {
    return ram.resource(first, last, name, parent);
  }
  std::vector<std::string> map() {
    const Opened image(kernel);
    pm_ram_map map{};
    EXPECT_EQ(pm_find_ram_map(image.get(), &map), 0);
    std::vector<std::string> spans;
    for (std::size_t i = 0; i < map.n; ++i)
      spans.push_back(std::to_string(map.spans[i].begin) + "-" + std::to_string(map.spans[i].end) +
                      " " + pm_ram_class_word(map.spans[i].reserved));
    pm_free_ram_map(&map);
    return spans;
  }
  /// The snapshot with RAM, or why there is none.
  std::string snapshot() {
    const Opened image(kernel);
    pm_ram_section section{};
    char why[256] = "";
    if (!pm_ram_section_open(&section, image.get(), why, sizeof why)) return why;
    const pm_choice choice{nullptr, nullptr, 0, true, &section};
    const pm_progress progress{};
    pm_end end{};
    std::string text = emitted_by([&](pm_out* out) {
      EXPECT_EQ(pm_snapshot(image.get(), &choice, &progress, out, &end), 0);
    });
    pm_ram_section_close(&section);
    return text;
  }

  FakeKernel kernel;
  FakeRam ram;
};

TEST_P(RamSectionOfDump, FindsWholeFramesOfRam) {
  resource(0, 0xFFF, "Reserved");
  resource(0x1000, 0x9FBFF, "System RAM");
  resource(0xF0000, 0xFFFFF, "Reserved");
  resource(0x100800, 0x1FFFFF, "System RAM");
  EXPECT_THAT(map(), ElementsAre("1-159 reserved", "257-512 reserved"));
}

TEST_P(RamSectionOfDump, FindsTheKernelInRam) {
  const std::uint64_t span = resource(0x100000, 0x3FFFFF, "System RAM");
  resource(0x200000, 0x2007FF, "Kernel code", span);
  resource(0x201000, 0x201FFF, "Kernel rodata", span);
  resource(0x202000, 0x202FFF, "Kernel bss", span);
  resource(0x300000, 0x30FFFF, "Crash kernel", span);
  resource(0x380000, 0x38FFFF, "a driver", span);
  EXPECT_THAT(map(), ElementsAre("256-512 reserved", "512-513 kernel_code", "513-514 kernel_code",
                                 "514-515 kernel_data", "515-768 reserved", "768-784 crash_kernel",
                                 "784-1024 reserved"));
}

/// As virtio-mem, and a CXL device by dax, add it.
TEST_P(RamSectionOfDump, FindsRamOfDevices) {
  resource(0x1000, 0x1FFF, "System RAM");
  const std::uint64_t virtio = resource(0x2000, 0x7FFF, "virtio0");
  resource(0x2000, 0x3FFF, "System RAM (virtio_mem)", virtio);
  const std::uint64_t window = resource(0x8000, 0xFFFF, "CXL Window 0");
  const std::uint64_t region = resource(0x8000, 0xFFFF, "region0", window);
  const std::uint64_t device = resource(0x8000, 0xFFFF, "dax0.0", region);
  resource(0x9000, 0xBFFF, "System RAM (kmem)", device);
  resource(0x10000, 0x10FFF, "System RAM");
  EXPECT_THAT(map(),
              ElementsAre("1-2 reserved", "2-4 reserved", "9-12 reserved", "16-17 reserved"));
}

TEST_P(RamSectionOfDump, EndsAtAResourceThatFollowsItself) {
  const std::uint64_t span = resource(0x100000, 0x1FFFFF, "System RAM");
  kernel.put(span, "resource.sibling", span);
  EXPECT_THAT(map(), ElementsAre("256-512 reserved"));
}

TEST_P(RamSectionOfDump, FindsSectionsThatAreOffline) {
  const std::uint64_t span = resource(0x100000, 0x27FFFFFF, "System RAM");
  resource(0x1000000, 0x1FFFFFF, "Kernel code", span);
  ram.add_sections(0b1010);
  EXPECT_THAT(map(),
              ElementsAre("256-4096 reserved", "4096-8192 kernel_code", "8192-32768 reserved",
                          "32768-65536 offline", "65536-98304 reserved", "98304-131072 offline",
                          "131072-163840 reserved"));
}

TEST_P(RamSectionOfDump, TakesSectionsThatTheKernelDoesNotKnowAsRam) {
  resource(0x100000, 0x1FFFFFFF, "System RAM");
  ram.add_sections(0b0010);
  kernel.put(ram.section(0x8000), "mem_section.section_mem_map", 0);
  EXPECT_THAT(map(), ElementsAre("256-131072 reserved"));
  kernel.memory.put(kernel.symbols["roots of sections"], 8, 0);
  EXPECT_THAT(map(), ElementsAre("256-131072 reserved"));
}

// A damaged map with more frames than any machine has.
TEST_P(RamSectionOfDump, DoesNotLookAtEachSectionOfAnImpossibleMap) {
  resource(0x100000, 0xFFFFFFFFFFFFE, "System RAM");
  ram.add_sections();
  kernel.memory.reset_reads();
  EXPECT_EQ(map().size(), 1u);
  EXPECT_LT(kernel.memory.reads(), 5000u);
}

TEST_P(RamSectionOfDump, WritesZonesTotalsAndFrames) {
  resource(0x100000, 0x11FFFF, "System RAM");
  ram.add_zone();
  ram.array("vm_zone_stat", {17, 1, 2});
  ram.array("vm_node_stat", {100, 101, 102, 103, 104, 16, 50});
  if (GetParam() == Era::k5_10) kernel.types.hide("NR_ZSPAGES");
  ram.variable("nr_vmalloc_pages", 8, 9);
  const std::string text = snapshot();
  EXPECT_THAT(text, HasSubstr(", ram=all, ram_by=crash"));
  EXPECT_THAT(text, HasSubstr("\nZ: 0, Normal, 00000100, 32, 31, 30, 17, 7, 11, 21, 31\n"
                              "G: ram.before.total="));
  EXPECT_THAT(text, HasSubstr(", ram.before.free=17, "));
  EXPECT_THAT(text, HasSubstr(", ram.before.free_in_zones=17, ram.before.free_percpu=7, "
                              "ram.before.free_order.0=17, "
                              "ram.before.file_pages=100, ram.before.anon=101, "
                              "ram.before.shmem=102, ram.before.slab=207, "));
  EXPECT_THAT(text, HasSubstr(GetParam() == Era::k5_10 ? "ram.before.page_tables=2, "
                                                       : "ram.before.page_tables=50, "));
  EXPECT_THAT(text, HasSubstr("ram.before.kernel_stack=4, ram.before.vmalloc=9"));
  EXPECT_THAT(text, HasSubstr("ram.frames=288, "));
  EXPECT_THAT(text, HasSubstr("\nG: ram.after.total="));
}

/// Counts of two CPUs, which are signed bytes.
TEST_P(RamSectionOfDump, AddsWhatCpusHaveCountedInTheMeantime) {
  resource(0x100000, 0x11FFFF, "System RAM");
  const std::uint64_t zone = ram.add_zone();
  const std::uint64_t node = zone - kernel.types.offset("pglist_data.node_zones");
  ram.array("vm_zone_stat", {17, 1, 2});
  ram.array("vm_node_stat", {100, 101, 102, 103, 104, 16, 50});
  const auto put_counts = [&](std::uint64_t structs, std::uint64_t offset, unsigned first,
                              unsigned second) {
    kernel.memory.put(structs + 0x10000 + offset, 1, first & 0xFF);
    kernel.memory.put(structs + 0x10000 + kPage + offset, 1, second & 0xFF);
  };
  const bool is_old = GetParam() == Era::k5_10;
  const std::uint64_t of_node = kernel.memory.allocate("counts of nodes", 2 * kPage, 64) - 0x10000;
  std::uint64_t of_zone = kernel.memory.allocate("counts of zones", 2 * kPage, 64) - 0x10000;
  if (is_old) of_zone = kernel.get(zone, "zone.pageset");
  kernel.put(zone, is_old ? "zone.pageset" : "zone.per_cpu_zonestats", of_zone);
  kernel.put(node, "pglist_data.per_cpu_nodestats", of_node);
  put_counts(of_zone,
             kernel.types.offset(is_old ? "per_cpu_pageset.vm_stat_diff"
                                        : "per_cpu_zonestat.vm_stat_diff"),
             -3U, 5);
  put_counts(of_node, kernel.types.offset("per_cpu_nodestat.vm_node_stat_diff"), 7, -200U + 100U);
  const std::string text = snapshot();
  EXPECT_THAT(text, HasSubstr("\nZ: 0, Normal, 00000100, 32, 31, 30, 19, 7, 11, 21, 31\n"));
  EXPECT_THAT(text, HasSubstr(", ram.before.free=19, "));
  EXPECT_THAT(text, HasSubstr(", ram.before.free_in_zones=19, "));
  EXPECT_THAT(text, HasSubstr("ram.before.file_pages=7, ram.before.anon=101, "));
}

TEST_P(RamSectionOfDump, WritesThePlacesOfZonesBeforeTheProcesses) {
  resource(0x100000, 0x11FFFF, "System RAM");
  ram.add_zone();
  const std::string text = snapshot();
  const std::string places = "\nG: zone.0.Normal.first=256, zone.0.Normal.spanned=32\n";
  EXPECT_THAT(text, HasSubstr(places));
  EXPECT_LT(text.find(places), text.find("\nT: "));
}

TEST_P(RamSectionOfDump, WritesNoPlacesIfAZoneHasNoName) {
  resource(0x100000, 0x11FFFF, "System RAM");
  const std::uint64_t zone = ram.add_zone();
  kernel.put(zone, "zone.name", kernel.memory.text("name", "Nor mal"));
  const std::string text = snapshot();
  EXPECT_THAT(text, HasSubstr("\nZ: 0, ?, 00000100, 32, "));
  EXPECT_THAT(text, Not(HasSubstr("zone.0.")));
}

/// Adds slab caches with slabs of two frames and of 21 objects.
class FakeSlabs {
 public:
  explicit FakeSlabs(FakeKernel& kernel)
      : kernel_(kernel), head_(kernel.symbols["slab_caches"] = kernel.allocate("list_head")) {
    kernel_.append(0, head_);
  }
  /// `slabs`: of each node id; 0: no such node.
  std::uint64_t add(std::string_view name, const std::vector<std::uint64_t>& slabs) {
    const std::uint64_t cache = kernel_.allocate("kmem_cache");
    kernel_.put(cache, "kmem_cache.name", kernel_.memory.text("name", name));
    kernel_.put(cache, "kmem_cache.oo/kmem_cache_order_objects.x", 1u << 16 | 21);
    kernel_.put(cache, "kmem_cache.size", 192);
    for (std::size_t id = 0; id < slabs.size(); ++id)
      if (slabs[id] != 0) kernel_.memory.put(place(cache, id), 8, node(slabs[id]));
    kernel_.append(head_, kernel_.at(cache, "kmem_cache.list"));
    return cache;
  }

 private:
  /// Of the pointer to a node.
  std::uint64_t place(std::uint64_t cache, std::size_t id) const {
    if (kernel_.types.is_hidden("kmem_cache.per_node"))
      return kernel_.at(cache, "kmem_cache.node") + 8 * id;
    return kernel_.at(cache, "kmem_cache.per_node") +
           kernel_.types.size("kmem_cache_per_node_ptrs") * id +
           static_cast<std::uint64_t>(kernel_.types.offset("kmem_cache_per_node_ptrs.node"));
  }
  std::uint64_t node(std::uint64_t slabs) {
    const std::uint64_t node = kernel_.allocate("kmem_cache_node");
    kernel_.put(node, "kmem_cache_node.nr_slabs", slabs);
    kernel_.put(node, "kmem_cache_node.total_objects", slabs * 21);
    return node;
  }

  FakeKernel& kernel_;
  std::uint64_t head_;
};

TEST_P(RamSectionOfDump, CountsPagesSlabsAndObjectsOfSlabCaches) {
  resource(0x100000, 0x11FFFF, "System RAM");
  FakeSlabs slabs(kernel);
  slabs.add("dentry", {7});
  slabs.add("my cache", {3});
  slabs.add("empty", {});
  const std::string text = snapshot();
  EXPECT_THAT(text,
              HasSubstr("\nG: slab.dentry=14\nG: slab_slabs.dentry=7\nG: slab_objects.dentry=147\n"
                        "G: slab_object_bytes.dentry=192\nG: slab.my_cache=6\n"));
  EXPECT_THAT(text, Not(HasSubstr("empty")));
}

TEST_P(RamSectionOfDump, AddsUpSlabsOfAllNodesWithHolesBetweenThem) {
  resource(0x100000, 0x11FFFF, "System RAM");
  ram.variable("nr_node_ids", 4, 3);
  FakeSlabs(kernel).add("dentry", {7, 0, 5, 1000});
  EXPECT_THAT(snapshot(), HasSubstr("\nG: slab.dentry=24\nG: slab_slabs.dentry=12\n"
                                    "G: slab_objects.dentry=252\n"))
      << "the fourth is behind the end of the array";
  kernel.symbols.erase("nr_node_ids");
  EXPECT_THAT(snapshot(), HasSubstr("\nG: slab.dentry=14\n"));
}

TEST_P(RamSectionOfDump, NamesSlabCachesThatTheKernelCanReclaim) {
  resource(0x100000, 0x11FFFF, "System RAM");
  FakeSlabs slabs(kernel);
  const bool has_enum = !kernel.types.is_hidden("_SLAB_RECLAIM_ACCOUNT");
  const std::uint64_t flag = has_enum ? 1u << 7 : 0x20000;
  kernel.put(slabs.add("dentry", {7}), "kmem_cache.flags", flag | 1);
  kernel.put(slabs.add("sigqueue", {3}), "kmem_cache.flags", ~flag & 0xFFFFFFFF);
  const std::string text = snapshot();
  EXPECT_THAT(text, HasSubstr("\nG: slab_reclaimable.dentry=1\n"));
  EXPECT_THAT(text, Not(HasSubstr("slab_reclaimable.sigqueue")));
  kernel.types.hide("_SLAB_RECLAIM_ACCOUNT");
  if (!has_enum) return;
  EXPECT_THAT(snapshot(), Not(HasSubstr("slab_reclaimable")));
}

TEST_P(RamSectionOfDump, CountsPageTablesOfEachAddressSpaceOnce) {
  resource(0x100000, 0x11FFFF, "System RAM");
  const FakeProcess process = kernel.add_process({.pid = 371});
  kernel.add_thread(process, {.pid = 372});
  kernel.put(process.mm, "mm_struct.pgtables_bytes", 69632);
  kernel.finish();
  const std::string text = snapshot();
  EXPECT_THAT(text, HasSubstr("\nG: process.371.page_tables_kB=68\nT: task    , 371, "));
  EXPECT_THAT(text, Not(HasSubstr("process.372")));
}

TEST_P(RamSectionOfDump, CountsHugePagesOfAllSizes) {
  resource(0x100000, 0x11FFFF, "System RAM");
  const std::size_t size = kernel.types.size("hstate");
  const std::uint64_t states = kernel.symbols["hstates"] =
      kernel.memory.allocate("hstates", 2 * size);
  ram.variable("hugetlb_max_hstate", 8, 2);
  kernel.put(states, "hstate.nr_huge_pages", 3);
  kernel.put(states, "hstate.order", 9);
  kernel.put(states + size, "hstate.nr_huge_pages", 1);
  kernel.put(states + size, "hstate.order", 18);
  EXPECT_THAT(snapshot(), HasSubstr("ram.before.hugetlb=263680"));
}

// A driver marks the pages of its buffer as reserved. The first chunk of per-CPU data is from boot.
TEST_P(RamSectionOfDump, KnowsReservedPagesOfVmalloc) {
  kernel.has_mapped_addresses = true;
  resource(0x100000, 0x10FFFF, "System RAM");
  ram.add({.pages = 2, .first_pfn = 0x101});
  ram.add({.start = kMapped + 0x10000, .first_pfn = 0x104, .has_pages = false});
  for (const std::uint64_t pfn : {0x100, 0x101, 0x102, 0x103, 0x104})
    kernel.set_frame(pfn, {.mapcount = 0, .flags = {"PG_reserved"}, .mapping = 0});
  kernel.finish();
  const std::string text = snapshot();
  EXPECT_THAT(text, HasSubstr("\nR: 00000100, 1, reserved, 0,"));
  EXPECT_THAT(text, HasSubstr("\nR: 00000101, 2, vmalloc, 0,"));
  EXPECT_THAT(text, HasSubstr("\nR: 00000103, 2, reserved, 0,"));
}

TEST_P(RamSectionOfDump, IsOnlyWrittenOnRequest) {
  resource(0x100000, 0x11FFFF, "System RAM");
  ram.add_zone();
  const Snapshot without = snapshot_of(kernel);
  EXPECT_THAT(without.header, Not(HasSubstr("ram=")));
  EXPECT_THAT(without.text, Not(HasSubstr("R: ")));
  EXPECT_THAT(without.text, Not(HasSubstr("zone.")));
}

TEST_P(RamSectionOfDump, SaysWhatTheDumpLacks) {
  EXPECT_EQ(snapshot(), "-r: found no map of RAM in the dump, expected iomem_resource");
  resource(0x100000, 0x11FFFF, "System RAM");
  kernel.types.hide("PGTY_buddy");
  kernel.symbols.erase("vmcoreinfo_data");
  EXPECT_EQ(snapshot(), "-r: found no types of pages, expected enum pagetype or VMCOREINFO");
}

INSTANTIATE_TEST_SUITE_P(Eras, RamSectionOfDump,
                         testing::Values(Era::k5_10, Era::k6_1, Era::k6_12));

}  // namespace
}  // namespace physmem::crash
