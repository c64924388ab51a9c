// SPDX-License-Identifier: MIT
// Frames of an image as R: and O: lines: classes, owners, cgroups, runs.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emitted_text.h"
#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t kBuddyBit = 0x80, kOfflineBit = 0x100;
constexpr std::uint64_t kTmpfs = 0x01021994;

class RamWalk : public testing::TestWithParam<Era> {
 protected:
  RamWalk() : kernel(GetParam()) {
    for (std::uint64_t pfn = 0x100; pfn < 0x120; ++pfn) reset(pfn);
  }
  bool has_byte_types() const { return GetParam() == Era::k6_12; }

  /// A frame that is in use and says nothing about itself.
  void reset(std::uint64_t pfn) {
    kernel.set_frame(pfn, {.mapcount = 0, .flags = {}, .mapping = 0});
    kernel.put(kernel.page(pfn), "page._refcount", 1);
    kernel.put(kernel.page(pfn), "page.memcg_data", 0);
  }
  /// `byte`: the type since Linux 6.12; `bit`: before.
  void set_type(std::uint64_t pfn, std::uint64_t byte, std::uint32_t bit) {
    kernel.put(kernel.page(pfn), "page.page_type",
               has_byte_types() ? byte << 24 : 0xFFFFFFFFu & ~bit);
  }
  void set_free(std::uint64_t pfn, std::uint64_t order) {
    set_type(pfn, 0xF0, kBuddyBit);
    kernel.put(kernel.page(pfn), "page.private", order);
  }
  void set_unused(std::uint64_t pfn) { kernel.put(kernel.page(pfn), "page._refcount", 0); }
  void put_in_list(std::uint64_t head, std::uint64_t pfn) {
    set_unused(pfn);
    kernel.append(head, kernel.at(kernel.page(pfn), "page.lru"));
  }
  void set_mapping(std::uint64_t pfn, std::uint64_t mapping, std::uint64_t place = 0) {
    kernel.set_frame(pfn, {.mapcount = 0, .flags = {"PG_uptodate", "PG_lru"}, .mapping = mapping});
    kernel.put(kernel.page(pfn), "page.index", place);
  }
  std::uint64_t text(std::string_view text) { return kernel.memory.text("text", text); }

  struct File {
    std::uint64_t inode = 0, mapping = 0, dentry = 0;
  };
  File file(std::string_view path, std::string_view type, std::uint64_t magic = 0xEF53) {
    const Place place = kernel.walk(path);
    kernel.file_at(place, {.inode = 8421, .device = std::uint64_t{0xFE} << 20 | 1});
    File file;
    file.dentry = place.dentry;
    file.inode = kernel.get(place.dentry, "dentry.d_inode");
    file.mapping = kernel.at(file.inode, "inode.i_data");
    kernel.put(file.mapping, "address_space.host", file.inode);
    kernel.put(file.inode, "inode.i_size", 12345);
    kernel.put(file.inode, "inode.i_nlink", 1);
    kernel.put(file.inode, "inode.i_dentry/hlist_head.first",
               kernel.at(place.dentry, "dentry.d_u"));
    const std::uint64_t super = kernel.get(file.inode, "inode.i_sb");
    const std::uint64_t kind = kernel.allocate("file_system_type");
    kernel.put(super, "super_block.s_type", kind);
    kernel.put(super, "super_block.s_magic", magic);
    kernel.put(kind, "file_system_type.name", text(type));
    return file;
  }

  /// The same of a dump and by lists.
  std::string ram(std::uint64_t begin = 0x100, std::uint64_t end = 0x120,
                  pm_ram_class reserved = PM_RAM_RESERVED) {
    kernel.reads_lists = true;
    const std::string by_lists = read_ram(begin, end, reserved);
    kernel.reads_lists = false;
    EXPECT_EQ(by_lists, read_ram(begin, end, reserved));
    return by_lists;
  }
  std::string read_ram(std::uint64_t begin, std::uint64_t end, pm_ram_class reserved) {
    kernel.finish();
    const Opened image(kernel);
    EXPECT_EQ(image.why(), "");
    pm_page_types types;
    EXPECT_TRUE(pm_page_types_find(&types, image.get()));
    const pm_frame_span span{begin, end, reserved};
    return emitted_by([&](pm_out* out) {
      pm_ram_walk* walk = nullptr;
      ASSERT_EQ(pm_ram_walk_open(&walk, image.get(), &types), 0);
      pm_ram_walk_set_owners(walk, owners_before);
      EXPECT_EQ(pm_ram_walk_write(
                    walk, &span, 1, out, [](void*) { return 0; }, nullptr),
                0);
      pm_ram_walk_close(walk);
      missing = image->memory.missing;
    });
  }

  FakeKernel kernel;
  std::uint64_t owners_before = 0;  ///< written by the caller
  std::uint64_t missing = 0;        ///< reads of the last read_ram() of what is not in the dump
};

TEST_P(RamWalk, WritesEveryFrameFromZeroOn) {
  EXPECT_EQ(ram(),
            "R: 00000000, 256, hole, 0, 0, 00000000, 0, 00000000\n"
            "R: 00000100, 32, unmarked, 0, 0, 00000000, 0, 00000000\n"
            "G: ram.runs=2, ram.frames=288, ram.owners=0\n");
}

TEST_P(RamWalk, WritesFreeBlocksByOrder) {
  set_free(0x100, 3);
  set_free(0x108, 2);
  set_free(0x10C, 2);
  EXPECT_THAT(ram(), HasSubstr("R: 00000100, 8, free, 0, 0, 00000400, 0, 00000003\n"
                               "R: 00000108, 8, free, 0, 0, 00000400, 0, 00000002\n"
                               "R: 00000110, 16, unmarked"));
}

TEST_P(RamWalk, FindsABrokenPageInAFreeBlock) {
  set_free(0x108, 3);
  kernel.put(kernel.page(0x10A), "page.flags", kernel.bits({"PG_hwpoison"}));
  kernel.symbols["num_poisoned_pages"] = kernel.memory.allocate("poisoned", 8, 8);
  kernel.memory.put(kernel.symbols["num_poisoned_pages"], 8, 1);
  EXPECT_THAT(ram(), HasSubstr("R: 00000108, 2, free, 0, 0, 00000400, 0, 00000003\n"
                               "R: 0000010A, 1, poison, 0, 0, 00080400, 0, 00000000\n"
                               "R: 0000010B, 5, free, 0, 0, 00000400, 0, 00000003\n"));
}

TEST_P(RamWalk, TakesAnImpossibleOrderAsOneFrame) {
  set_free(0x101, 5);  // not aligned
  set_free(0x110, 77);
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("R: 00000101, 1, free, 0, 0, 00000400, 0, 00000000\n"));
  EXPECT_THAT(text, HasSubstr("R: 00000110, 1, free, 0, 0, 00000400, 0, 00000000\n"));
}

TEST_P(RamWalk, EndsABlockWithItsSpan) {
  set_free(0x118, 4);
  set_free(0x110, 4);
  EXPECT_THAT(ram(0x110, 0x118), HasSubstr("R: 00000110, 8, free"));
}

TEST_P(RamWalk, TellsTypesOfKernelPages) {
  set_type(0x100, 0xF1, kOfflineBit);
  set_type(0x101, 0xF2, 0x200);
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("R: 00000100, 1, balloon, 0, 0, 00800000, 0, 00000000\n"));
  EXPECT_THAT(text, HasSubstr("R: 00000101, 1, pgtable, 0, 0, 04000000, 0, 00000000\n"));
}

TEST_P(RamWalk, KnowsWhichFramesHaveContentsOfTheKernel) {
  set_type(0x100, 0xF2, 0x200);  // a page table
  if (has_byte_types())
    set_type(0x101, 0xF5, 0);
  else
    kernel.put(kernel.page(0x101), "page.flags", kernel.bits({"PG_slab"}));
  kernel.put(kernel.page(0x102), "page.flags", kernel.bits({"PG_reserved"}));
  // 0x103 is in use and says nothing about itself.
  set_free(0x104, 0);
  set_type(0x105, 0xF1, kOfflineBit);
  set_unused(0x106);
  kernel.put(kernel.page(0x107), "page.flags", kernel.bits({"PG_hwpoison"}));
  set_mapping(0x108, kernel.allocate("address_space"));
  set_mapping(0x109, kernel.allocate("address_space") | 1);  // of a process
  kernel.set_frame(0x10A, {.mapcount = 1, .flags = {}, .mapping = 0});
  kernel.put(kernel.page(0x10A), "page._refcount", 1);
  kernel.put(kernel.page(0x10B), "page.flags", kernel.bits({"PG_lru"}));
  kernel.put(kernel.page(0x10C), "page.flags", kernel.bits({"PG_swapbacked"}));
  constexpr std::uint32_t kChargedBit = 0x400;
  if (!has_byte_types()) set_type(0x10D, 0, kChargedBit);
  kernel.finish();
  const Opened image(kernel);
  pm_page_types types;
  ASSERT_TRUE(pm_page_types_find(&types, image.get()));
  for (std::uint64_t pfn = 0x100; pfn < 0x10D; ++pfn)
    EXPECT_EQ(pm_is_kernel_frame(image.get(), &types, pfn), pfn <= 0x103) << std::hex << pfn;
  if (has_byte_types()) return;
  // Linux 5.10 marks what a group pays for, such as the top page table of its processes.
  EXPECT_FALSE(pm_is_kernel_frame(image.get(), &types, 0x10D));
  types.ignored = kChargedBit;
  EXPECT_TRUE(pm_is_kernel_frame(image.get(), &types, 0x10D));
}

TEST_P(RamWalk, FindsFreePagesInListsOfProcessors) {
  const std::uint64_t head = kernel.allocate("list_head");
  kernel.append(0, head);
  for (const std::uint64_t pfn : {0x102, 0x103, 0x109, 0x110}) put_in_list(head, pfn);
  EXPECT_THAT(ram(), HasSubstr("R: 00000102, 2, free_percpu, 0, 0, 00000000, 0, 00000000\n"
                               "R: 00000104, 5, unmarked, 0, 0, 00000000, 0, 00000000\n"
                               "R: 00000109, 1, free_percpu, 0, 0, 00000000, 0, 00000000\n"));
}

TEST_P(RamWalk, FindsBlocksInListsOfProcessors) {
  const std::uint64_t head = kernel.allocate("list_head");
  kernel.append(0, head);
  put_in_list(head, 0x104);
  for (const std::uint64_t pfn : {0x105, 0x106, 0x107}) set_unused(pfn);
  EXPECT_THAT(ram(), HasSubstr("R: 00000104, 4, free_percpu, 0, 0, 00000000, 0, 00000000\n"
                               "R: 00000108, 24, unmarked"));
}

// A block of 8 whose user holds the first frame only, in the neighbourhood of listed frames.
TEST_P(RamWalk, DoesNotTakePartsOfUsedBlocksAsFree) {
  const std::uint64_t head = kernel.allocate("list_head");
  kernel.append(0, head);
  put_in_list(head, 0x107);
  for (std::uint64_t pfn = 0x109; pfn < 0x110; ++pfn) set_unused(pfn);
  kernel.put(kernel.page(0x109), "page.lru/list_head.next",
             kernel.at(kernel.page(0x109), "page.lru"));
  kernel.put(kernel.page(0x109), "page.lru/list_head.prev",
             kernel.at(kernel.page(0x109), "page.lru"));
  kernel.put(kernel.page(0x10A), "page.lru/list_head.next", 0xDEAD000000000100);
  kernel.put(kernel.page(0x10A), "page.lru/list_head.prev", 0xDEAD000000000122);
  kernel.put(kernel.page(0x10B), "page.lru/list_head.next", head);  // it was in the list once
  kernel.put(kernel.page(0x10B), "page.lru/list_head.prev", head);
  EXPECT_THAT(ram(), HasSubstr("R: 00000107, 1, free_percpu, 0, 0, 00000000, 0, 00000000\n"
                               "R: 00000108, 24, unmarked"));
}

TEST_P(RamWalk, NamesSlabCaches) {
  const std::uint64_t cache = kernel.allocate("kmem_cache");
  kernel.put(cache, "kmem_cache.name", text("dentry"));
  kernel.put(cache, "kmem_cache.object_size", 192);
  kernel.put(cache, "kmem_cache.oo/kmem_cache_order_objects.x", 1u << 16 | 21);
  for (const std::uint64_t pfn : {0x100, 0x101}) {
    if (has_byte_types())
      set_type(pfn, 0xF5, 0);
    else
      kernel.set_frame(pfn, {.mapcount = 0, .flags = {"PG_slab"}, .mapping = 0});
    kernel.put(kernel.page(pfn), "page.private", cache);
  }
  const std::string written = ram();
  EXPECT_THAT(written, HasSubstr("O: 1, slab, 192, 21, dentry\n"));
  EXPECT_THAT(written, HasSubstr("R: 00000100, 2, slab, 1, 0, 00000080, 0, 00000000\n"));
}

TEST_P(RamWalk, NumbersOwnersAfterThoseOfTheCaller) {
  owners_before = 4;
  const std::uint64_t cache = kernel.allocate("kmem_cache");
  kernel.put(cache, "kmem_cache.name", text("dentry"));
  if (has_byte_types())
    set_type(0x100, 0xF5, 0);
  else
    kernel.set_frame(0x100, {.mapcount = 0, .flags = {"PG_slab"}, .mapping = 0});
  kernel.put(kernel.page(0x100), "page.private", cache);
  const std::string written = ram();
  EXPECT_THAT(written, HasSubstr("O: 5, slab, 0, 0, dentry\n"));
  EXPECT_THAT(written, HasSubstr("ram.owners=5\n"));
}

TEST_P(RamWalk, NamesFilesWithPlaceAndFileSystem) {
  const File libssl = file("/usr/lib/libssl.so.3", "ext4");
  set_mapping(0x100, libssl.mapping, 0x4B);
  set_mapping(0x101, libssl.mapping, 0x4C);
  set_mapping(0x102, libssl.mapping, 0x60);
  const std::string written = ram();
  EXPECT_THAT(written,
              HasSubstr("O: 1, file, ext4, FE:01, 8421, 12345, 1, -, /usr/lib/libssl.so.3\n"));
  EXPECT_THAT(written, HasSubstr("R: 00000100, 2, file, 1, 0, 00000028, 0, 0000004B\n"
                                 "R: 00000102, 1, file, 1, 0, 00000028, 0, 00000060\n"));
}

TEST_P(RamWalk, DistinguishesSharedMemoryAndBlockDevices) {
  const File shared = file("/shm", "tmpfs", kTmpfs);
  const File device = file("/device", "bdev");
  kernel.put(device.inode, "inode.i_rdev", std::uint64_t{8} << 20 | 1);
  set_mapping(0x100, shared.mapping);
  set_mapping(0x101, device.mapping, 7);
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("R: 00000100, 1, shmem, 1, 0, 00000028, 0, 00000000\n"));
  EXPECT_THAT(text, HasSubstr("O: 2, file, bdev, FE:01, 8421, 12345, 1, -, /dev/block/8:1\n"));
  EXPECT_THAT(text, HasSubstr("R: 00000101, 1, block, 2, 0, 00000028, 0, 00000007\n"));
}

TEST_P(RamWalk, NamesADeletedFileAndOneWithoutCachedName) {
  const File gone = file("/gone", "ext4");
  kernel.put(gone.inode, "inode.i_nlink", 0);
  const File other = file("/other", "ext4");
  kernel.put(other.inode, "inode.i_dentry/hlist_head.first", 0);
  set_mapping(0x100, gone.mapping);
  set_mapping(0x101, other.mapping);
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("12345, 0, -, /gone\n"));
  EXPECT_THAT(text, HasSubstr("12345, 1, -, [name not cached]\n"));
}

TEST_P(RamWalk, GivesNoOwnerToAMappingThatContradictsItself) {
  const File file_ = file("/file", "ext4");
  kernel.put(file_.mapping, "address_space.host", file_.inode + 8);
  set_mapping(0x100, file_.mapping);
  set_mapping(0x101, 0xFFFF888012345670);  // no memory
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("R: 00000100, 2, file, 0, 0, 00000028, 0, 00000000\n"));
  EXPECT_THAT(text, Not(HasSubstr("O: ")));
}

// The kernel gave the inode to another file while the frames were read.
TEST_P(RamWalk, DistinguishesFilesThatHadTheSameInodeOneAfterTheOther) {
  const File first = file("/first", "ext4");
  set_mapping(0x100, first.mapping);
  set_mapping(0x102, first.mapping);
  kernel.finish();
  const Opened image(kernel);
  pm_ram_writer writer;
  const std::string text = emitted_by([&](pm_out* out) {
    pm_ram_owners owners;
    pm_ram_begin(&writer, out);
    pm_ram_owners_open(&owners, image.get(), &writer);
    pm_ram_class use{};
    EXPECT_EQ(pm_owner_of_file(&owners, first.mapping, &use), 1u);
    kernel.put(first.inode, "inode.i_ino", 77);
    pm_memory_renew(&image->memory);
    EXPECT_EQ(pm_owner_of_file(&owners, first.mapping + 1, &use), 0u);
    EXPECT_EQ(pm_owner_of_file(&owners, first.mapping, &use), 2u);
    pm_ram_owners_close(&owners);
  });
  EXPECT_THAT(text, HasSubstr("O: 2, file, ext4, FE:01, 77, "));
}

TEST_P(RamWalk, DoesNotTrustANameOfAnotherFile) {
  const File one = file("/one", "ext4");
  const File two = file("/two", "ext4");
  kernel.put(one.inode, "inode.i_dentry/hlist_head.first", kernel.at(two.dentry, "dentry.d_u"));
  set_mapping(0x100, one.mapping);
  EXPECT_THAT(ram(), HasSubstr("[name not cached]"));
}

TEST_P(RamWalk, EndsAtAFolderThatContainsItself) {
  const File file_ = file("/a/b", "ext4");
  kernel.put(kernel.walk("/a").dentry, "dentry.d_parent", file_.dentry);
  kernel.put(file_.dentry, "dentry.d_parent", kernel.walk("/a").dentry);
  set_mapping(0x100, file_.mapping);
  EXPECT_THAT(ram(), HasSubstr("[name not readable]"));
}

TEST_P(RamWalk, WritesAnonymousAndMovablePages) {
  set_mapping(0x100, kAnonMapping);
  set_mapping(0x101, 0xFFFF888000123402);
  kernel.set_frame(0x102,
                   {.mapcount = 0, .flags = {"PG_swapbacked", "PG_swapcache"}, .mapping = 0});
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("R: 00000100, 1, anon, 0, 0, 00001028"));
  EXPECT_THAT(text, HasSubstr("R: 00000101, 1, zsmalloc, 0, 0, 00000028"));
  EXPECT_THAT(text, HasSubstr("R: 00000102, 1, anon, 0, 0, 00006000"));
}

TEST_P(RamWalk, WritesReservedFramesByTheirSpan) {
  kernel.set_frame(0x100, {.mapcount = 0, .flags = {"PG_reserved"}, .mapping = 0});
  EXPECT_THAT(ram(), HasSubstr("R: 00000100, 1, reserved"));
  EXPECT_THAT(ram(0x100, 0x120, PM_RAM_KERNEL_CODE), HasSubstr("R: 00000100, 1, kernel_code"));
  EXPECT_THAT(ram(0x100, 0x120, PM_RAM_OFFLINE), HasSubstr("R: 00000100, 32, offline"));
}

TEST_P(RamWalk, WritesFramesWhoseStructPageIsMissingAsUnknown) {
  kernel.memory.lose(kernel.page(0x100));
  EXPECT_THAT(ram(), HasSubstr("R: 00000100, 32, unknown"));
}

class RamOfGroups : public RamWalk {
 protected:
  /// A memory cgroup that pays, and its id.
  std::uint64_t group(std::string_view path, std::uint64_t id, bool is_online = true) {
    const std::uint64_t cgroup = kernel.cgroup(path);
    const std::uint64_t memcg = kernel.allocate("mem_cgroup");
    kernel.put(kernel.get(cgroup, "cgroup.kn"), "kernfs_node.id", id);
    kernel.put(memcg, "mem_cgroup.css/cgroup_subsys_state.cgroup", cgroup);
    const std::uint64_t slots = kernel.at(cgroup, "cgroup.subsys");
    const std::uint64_t slot = slots + 8 * kernel.types.number("memory_cgrp_id");
    kernel.memory.put(slot, 8, is_online ? kernel.at(memcg, "mem_cgroup.css") : 0);
    return memcg;
  }
  void charge(std::uint64_t pfn, std::uint64_t to) {
    set_mapping(pfn, kAnonMapping);
    kernel.put(kernel.page(pfn), "page.memcg_data", to);
  }
};

TEST_P(RamOfGroups, NamesTheGroupThatPays) {
  const std::uint64_t a = group("/system.slice/a.service", 93);
  charge(0x100, a);
  charge(0x101, a);
  const std::string written = ram();
  EXPECT_THAT(written, HasSubstr("O: 1, cgroup, 93, online, /system.slice/a.service\n"));
  EXPECT_THAT(written, HasSubstr("R: 00000100, 2, anon, 0, 1, "));
  EXPECT_EQ(missing, 0u) << "the frames after them have no charge to look at";
}

TEST_P(RamOfGroups, MarksAGroupThatWasDeleted) {
  charge(0x100, group("/b", 7, false));
  EXPECT_THAT(ram(), HasSubstr("O: 1, cgroup, 7, dying, /b\n"));
}

TEST_P(RamOfGroups, FollowsAnObjectToItsGroup) {
  const std::uint64_t a = group("/a", 93);
  const std::uint64_t object = kernel.allocate("obj_cgroup");
  kernel.put(object, "obj_cgroup.memcg", a);
  charge(0x100, object);      // since 7.0
  charge(0x101, object | 2);  // kernel memory
  charge(0x102, a);
  const std::string text = ram();
  EXPECT_THAT(text, HasSubstr("R: 00000100, 3, anon, 0, 1, "));
  EXPECT_THAT(text, HasSubstr("ram.owners=1\n"));
}

// Slabs have the charges of their objects in the same place.
TEST_P(RamOfGroups, PayForPageTablesToo) {
  const std::uint64_t a = group("/a", 93);
  const std::uint64_t object = kernel.allocate("obj_cgroup");
  kernel.put(object, "obj_cgroup.memcg", a);
  set_type(0x100, 0xF2, 0x200);
  set_type(0x101, 0xF1, kOfflineBit);
  for (const std::uint64_t pfn : {0x100, 0x101})
    kernel.put(kernel.page(pfn), "page.memcg_data", object | 2);
  EXPECT_THAT(ram(), HasSubstr("R: 00000100, 1, pgtable, 0, 1, 04000000, 0, 00000000\n"
                               "R: 00000101, 1, balloon, 0, 0, "));
}

INSTANTIATE_TEST_SUITE_P(Eras, RamWalk, testing::Values(Era::k5_10, Era::k6_1, Era::k6_12));
INSTANTIATE_TEST_SUITE_P(Eras, RamOfGroups, testing::Values(Era::k5_10, Era::k6_1, Era::k6_12));

}  // namespace
}  // namespace physmem::crash
