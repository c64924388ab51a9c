// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/emit/flags.h"
#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

/// An address space with a heap from 0x10000 to 0x20000 and start_stack 0x70000.
class AreaFacts : public testing::Test {
 protected:
  explicit AreaFacts(Era era = Era::k6_1) : kernel(era), mm(kernel.add_mm()) {
    kernel.put(mm, "mm_struct.start_brk", 0x10000);
    kernel.put(mm, "mm_struct.brk", 0x20000);
    kernel.put(mm, "mm_struct.start_stack", 0x70000);
  }

  pm_area& facts(std::uint64_t vma) {
    const Opened image(kernel);
    pm_space_facts space{};
    pm_read_space(image.get(), mm, &space);
    pm_area_facts(image.get(), &space, vma, &area_);
    unit_.assign(area_.record.unit.at, area_.record.unit.len);
    return area_;
  }
  std::string unit(std::uint64_t vma) {
    facts(vma);
    return unit_;
  }
  std::string unit_at(std::uint64_t start, std::uint64_t end) {
    return unit(kernel.add_area(mm, {.start = start, .end = end}));
  }

  /// Names the VMA as prctl(PR_SET_VMA) does.
  void name(std::uint64_t vma, std::string_view text) {
    const std::uint64_t given = kernel.memory.allocate("anon_vma_name", 100);
    kernel.memory.put_text(kernel.at(given, "anon_vma_name.name"), text);
    kernel.put(vma, "vm_area_struct.anon_name", given);
  }

  FakeKernel kernel;
  std::uint64_t mm;

 private:
  pm_area area_{};
  std::string unit_;
};

class NewAreaFacts : public AreaFacts {
 protected:
  NewAreaFacts() : AreaFacts(Era::k6_12) {}
};

TEST_F(AreaFacts, ContainsFieldsOfAreaAndFile) {
  const std::uint64_t file =
      kernel.file("/usr/lib/libc.so.6", {.inode = 4711, .device = std::uint64_t{259} << 20 | 66});
  const pm_area& area = facts(kernel.add_area(mm, {.start = 0x400000,
                                                   .end = 0x403000,
                                                   .flags = kRead | kExec | 0x8000000,
                                                   .file = file,
                                                   .pgoff = 0x12,
                                                   .prot = 0x8000000000000025}));
  const pm_vma& v = area.record;
  EXPECT_EQ(
      fmt::format("{:X}-{:X} prot {:X} flags {:X} offset {:X} device {:X}:{:X} inode {} raw {:X}",
                  v.start, v.last, v.prot, v.flags, v.offset, v.dev_major, v.dev_minor, v.inode,
                  v.raw_flags),
      "400000-402FFF prot 8000000000000025 flags 5 offset 12000 device 103:42 inode 4711 raw "
      "8000005");
  EXPECT_EQ(fmt::format("{:X}-{:X} {} {}", area.range.start, area.range.end, area.range.is_hugetlb,
                        area.range.has_no_pages),
            "400000-403000 false false");
}

TEST_F(AreaFacts, TranslatesVmFlags) {
  const struct {
    std::uint64_t raw, flag;
  } cases[] = {{kRead, PM_VMA_READ},
               {kWrite, PM_VMA_WRITE},
               {kExec, PM_VMA_EXEC},
               {kMayShare, PM_VMA_SHARED},
               {0x8, 0},  // VM_SHARED: a shared VMA that may be written
               {kGrowsDown, PM_VMA_GROWSDOWN},
               {0x200, 0}};
  std::uint64_t start = 0x400000;
  for (const auto& one : cases)
    EXPECT_EQ(facts(kernel.add_area(
                        mm, {.start = start += kPage, .end = start + kPage, .flags = one.raw}))
                  .record.flags,
              one.flag)
        << one.raw;
  EXPECT_TRUE(facts(kernel.add_area(mm, {.start = 0x500000, .end = 0x501000, .flags = kPfnMap}))
                  .range.has_no_pages);
  EXPECT_TRUE(facts(kernel.add_area(mm, {.start = 0x600000, .end = 0x800000, .flags = kHugetlb}))
                  .range.is_hugetlb);
}

TEST_F(AreaFacts, MarksProgramByInode) {
  const std::uint64_t program = kernel.file("/usr/bin/cat");
  kernel.put(mm, "mm_struct.exe_file", kernel.file("/usr/bin/cat"));
  EXPECT_EQ(facts(kernel.add_area(mm, {.start = 0x400000, .end = 0x401000, .file = program}))
                .record.flags,
            PM_VMA_READ | PM_VMA_WRITE | PM_VMA_EXECUTABLE);
  const std::uint64_t library = kernel.file("/usr/lib/libc.so.6");
  EXPECT_EQ(facts(kernel.add_area(mm, {.start = 0x500000, .end = 0x501000, .file = library}))
                .record.flags,
            PM_VMA_READ | PM_VMA_WRITE);
}

TEST_F(AreaFacts, UsesUserVisibleFileOfOverlayIfKernelHasBackingFile) {
  for (const Era era : {Era::k6_1, Era::k6_12}) {
    FakeKernel other(era);
    const Opened image(other);
    const std::uint64_t real = other.file("/layers/1/bin/sh", {.inode = 11});
    const Place seen = other.walk("/bin/sh");
    other.file_at(seen, {.inode = 22});
    other.put(real, "backing_file.user_path/path.dentry", seen.dentry);
    other.put(real, "backing_file.user_path/path.mnt", other.at(seen.mount, "mount.mnt"));
    const auto inode = [&] {
      return other.get(pm_file_of(image.get(), real).inode, "inode.i_ino");
    };
    EXPECT_EQ(inode(), 11u);
    other.put(seen.dentry, "dentry.d_sb", 0x77);
    for (const unsigned bit : {24u, 25u}) {
      other.put(real, "file.f_mode", 1u << bit);
      const Opened again(other);
      const pm_file found = pm_file_of(again.get(), real);
      EXPECT_EQ(other.get(found.inode, "inode.i_ino"), 11u) << "user path on another file system";
    }
    other.put(seen.mount, "mount.mnt/vfsmount.mnt_sb", 0x77);
    const Opened again(other);
    const pm_file found = pm_file_of(again.get(), real);
    EXPECT_EQ(other.get(found.inode, "inode.i_ino"), era == Era::k6_12 ? 22u : 11u);
    char name[PM_PATH_BYTES];
    const pm_text text = pm_file_path(again.get(), &found, name);
    EXPECT_EQ(std::string(text.at, text.len), era == Era::k6_12 ? "/bin/sh" : "/layers/1/bin/sh");
  }
}

TEST_F(AreaFacts, LabelsAreaBetweenBreaksAsHeap) {
  EXPECT_EQ(unit_at(0x10000, 0x20000), "[heap]");
  EXPECT_EQ(unit_at(0x14000, 0x15000), "[heap]");
  EXPECT_EQ(unit_at(0x8000, 0x10000), "[heap]");  // adjacent, which was sufficient until v6.6
  EXPECT_EQ(unit_at(0x20000, 0x30000), "[heap]");
  EXPECT_EQ(unit_at(0x8000, 0xF000), "");
  EXPECT_EQ(unit_at(0x21000, 0x22000), "");
}

TEST_F(NewAreaFacts, DoesNotLabelAreaAdjacentToHeap) {
  EXPECT_EQ(unit_at(0x10000, 0x20000), "[heap]");
  EXPECT_EQ(unit_at(0x8000, 0x11000), "[heap]");
  EXPECT_EQ(unit_at(0x1F000, 0x30000), "[heap]");
  EXPECT_EQ(unit_at(0x8000, 0x10000), "");
  EXPECT_EQ(unit_at(0x20000, 0x30000), "");
}

TEST_F(AreaFacts, LabelsAreaAtStartStackAsStack) {
  EXPECT_EQ(unit_at(0x60000, 0x80000), "[stack]");
  EXPECT_EQ(unit_at(0x60000, 0x70000), "[stack]");
  EXPECT_EQ(unit_at(0x71000, 0x80000), "");
}

TEST_F(AreaFacts, UsesNameOfSpecialMapping) {
  const std::uint64_t vma =
      kernel.add_area(mm, {.start = 0x14000, .end = 0x15000});  // within the heap
  const std::uint64_t ops = kernel.allocate("vm_operations_struct"),
                      special = kernel.allocate("vm_special_mapping");
  kernel.put(vma, "vm_area_struct.vm_ops", ops);
  kernel.put(vma, "vm_area_struct.vm_private_data", special);
  kernel.put(special, "vm_special_mapping.name", kernel.memory.text("name", "[vdso]"));
  EXPECT_EQ(unit(vma), "[heap]");
  kernel.put(ops, "vm_operations_struct.name", kernel.symbols.at("special_mapping_name"));
  EXPECT_EQ(unit(vma), "[vdso]");
  kernel.put(ops, "vm_operations_struct.name", kernel.symbols.at("driver_dname"));
  EXPECT_EQ(unit(vma), "[heap]");
}

TEST_F(AreaFacts, UsesNameOfAnonymousArea) {
  const std::uint64_t vma = kernel.add_area(mm, {.start = 0x400000, .end = 0x401000});
  name(vma, "dalvik-main space");
  EXPECT_EQ(unit(vma), "[anon:dalvik-main space]");
  const std::uint64_t heap = kernel.add_area(mm, {.start = 0x14000, .end = 0x15000});
  name(heap, "x");
  EXPECT_EQ(unit(heap), "[heap]");
}

/// In v6.1 the name shares its member with the links of a file VMA in the file's interval tree.
TEST_F(AreaFacts, IgnoresNameOfFileArea) {
  const std::uint64_t vma =
      kernel.add_area(mm, {.start = 0x400000, .end = 0x401000, .file = kernel.file("/dev/zero")});
  name(vma, "x");
  EXPECT_EQ(unit(vma), "/dev/zero");
}

TEST_F(NewAreaFacts, UsesNameOfFileArea) {
  const std::uint64_t vma =
      kernel.add_area(mm, {.start = 0x400000, .end = 0x401000, .file = kernel.file("/dev/zero")});
  EXPECT_EQ(unit(vma), "/dev/zero");
  name(vma, "x");
  EXPECT_EQ(unit(vma), "[anon_shmem:x]");
}

TEST_F(AreaFacts, ReportsNameOfMissingFileAsNotInDump) {
  const std::uint64_t vma = kernel.add_area(
      mm, {.start = 0x400000, .end = 0x401000, .file = 0xDEAD000000000100, .pgoff = 3});
  EXPECT_EQ(unit(vma), "[name not in dump]");
  EXPECT_EQ(facts(vma).record.inode, 0u);
}

}  // namespace
}  // namespace physmem::crash
