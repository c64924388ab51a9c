// SPDX-License-Identifier: MIT
// The lines of zones, owners and runs, and which runs are joined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/emit/flags.h"
#include "tests/emitted_text.h"

namespace physmem {
namespace {

std::string ram_of(const std::vector<pm_ram_run>& runs) {
  return emitted_by([&](pm_out* out) {
    pm_ram_writer writer;
    pm_ram_begin(&writer, out);
    for (const pm_ram_run& run : runs) pm_ram_put_run(&writer, &run);
    pm_ram_end(&writer);
  });
}

std::string line_of(const pm_ram_owner& owner) {
  return emitted_by([&](pm_out* out) {
    pm_ram_writer writer;
    pm_ram_begin(&writer, out);
    pm_ram_put_owner(&writer, &owner);
  });
}

pm_ram_run run_of(std::uint64_t pfn, std::uint64_t pages, pm_ram_class use,
                  std::uint64_t place = 0) {
  return {pfn, pages, use, 1, 3, PM_PAGE_LRU, 2, place};
}

TEST(EmitRam, WritesAZone) {
  const pm_zone zone{1, "Normal", 0x40000, 262144, 262143, 257120, 131072, 1204, 3541, 4426, 5311};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_zone(out, &zone); }),
            "Z: 1, Normal, 00040000, 262144, 262143, 257120, 131072, 1204, 3541, 4426, 5311\n");
}

TEST(EmitRam, WritesThePlaceOfAZone) {
  const pm_zone zone{1, "DMA32", 0x40000, 262144, 262143, 257120, 131072, 1204, 3541, 4426, 5311};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_zone_place(out, &zone); }),
            "G: zone.1.DMA32.first=262144, zone.1.DMA32.spanned=262144\n");
}

TEST(EmitRam, WritesAHolder) {
  const std::string name = "/memfd:a, b (deleted)";
  pm_holder holder{371, 5, "memfd", 0, 1, 1034, 16384, true, 4, text_of(name)};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_holder(out, &holder); }),
            "D: 371, 5, memfd, 00:01, 1034, 16384, 4, /memfd:a\\054 b (deleted)\n");
  holder.has_pages = false;
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_holder(out, &holder); }),
            "D: 371, 5, memfd, 00:01, 1034, 16384, -, /memfd:a\\054 b (deleted)\n");
}

TEST(EmitRam, WritesEachKindOfOwner) {
  const std::string path = "/usr/lib/a, b.so", type = "ext4", build = "7F3A", cache = "dentry",
                    group = "/a.service", caller = "load_module+0x9d5";
  pm_ram_owner owner{};
  owner.kind = PM_OWNER_FILE;
  owner.id = 1;
  owner.name = text_of(path);
  owner.file_system = text_of(type);
  owner.dev_major = 0xFE;
  owner.dev_minor = 1;
  owner.inode = 8421;
  owner.bytes = 1228800;
  owner.links = 1;
  EXPECT_EQ(line_of(owner), R"(O: 1, file, ext4, FE:01, 8421, 1228800, 1, -, /usr/lib/a\054 b.so)"
                            "\n");
  owner.build_id = text_of(build);
  EXPECT_THAT(line_of(owner), testing::HasSubstr(", 1, 7F3A, /usr"));
  owner = {};
  owner.kind = PM_OWNER_SLAB;
  owner.id = 2;
  owner.object_bytes = 192;
  owner.objects_per_slab = 21;
  owner.name = text_of(cache);
  EXPECT_EQ(line_of(owner), "O: 2, slab, 192, 21, dentry\n");
  owner = {};
  owner.kind = PM_OWNER_CGROUP;
  owner.id = 3;
  owner.number = 93;
  owner.name = text_of(group);
  EXPECT_EQ(line_of(owner), "O: 3, cgroup, 93, online, /a.service\n");
  owner.is_dying = true;
  EXPECT_EQ(line_of(owner), "O: 3, cgroup, 93, dying, /a.service\n");
  owner = {};
  owner.kind = PM_OWNER_TASK;
  owner.id = 4;
  owner.number = 371;
  owner.start_time = 8639981;
  EXPECT_EQ(line_of(owner), "O: 4, task, 371, 8639981\n");
  owner = {};
  owner.kind = PM_OWNER_CODE;
  owner.id = 5;
  owner.name = text_of(caller);
  EXPECT_EQ(line_of(owner), "O: 5, code, load_module+0x9d5\n");
}

TEST(EmitRam, WritesRunsAndTheirSums) {
  EXPECT_EQ(ram_of({{0, 16, PM_RAM_HOLE, 0, 0, 0, 0, 0},
                    {0x10, 2, PM_RAM_FREE, 0, 0, PM_PAGE_BUDDY, 0, 1}}),
            "R: 00000000, 16, hole, 0, 0, 00000000, 0, 00000000\n"
            "R: 00000010, 2, free, 0, 0, 00000400, 0, 00000001\n"
            "G: ram.runs=2, ram.frames=18, ram.owners=0\n");
}

TEST(EmitRam, WritesZeroSumsWithoutRuns) {
  EXPECT_EQ(ram_of({}), "G: ram.runs=0, ram.frames=0, ram.owners=0\n");
}

TEST(EmitRam, JoinsPagesOfAFileWhosePlacesFollowEachOther) {
  for (const pm_ram_class use : {PM_RAM_FILE, PM_RAM_BLOCK, PM_RAM_SHMEM}) {
    EXPECT_THAT(ram_of({run_of(8, 2, use, 5), run_of(10, 1, use, 7)}),
                testing::HasSubstr("ram.runs=1, ram.frames=3"));
    EXPECT_THAT(ram_of({run_of(8, 2, use, 5), run_of(10, 1, use, 8)}),
                testing::HasSubstr("ram.runs=2, ram.frames=3"));
  }
}

TEST(EmitRam, JoinsPagesOfUnknownFilesWithoutPlace) {
  pm_ram_run first = run_of(8, 2, PM_RAM_FILE), next = run_of(10, 1, PM_RAM_FILE);
  first.owner = next.owner = 0;
  EXPECT_THAT(ram_of({first, next}), testing::HasSubstr("ram.runs=1, ram.frames=3"));
}

TEST(EmitRam, JoinsFreeBlocksOfOneOrder) {
  EXPECT_THAT(ram_of({run_of(8, 2, PM_RAM_FREE, 1), run_of(10, 2, PM_RAM_FREE, 1)}),
              testing::HasSubstr("ram.runs=1, ram.frames=4"));
  EXPECT_THAT(ram_of({run_of(8, 2, PM_RAM_FREE, 1), run_of(10, 4, PM_RAM_FREE, 2)}),
              testing::HasSubstr("ram.runs=2, ram.frames=6"));
}

TEST(EmitRam, KeepsRunsApartThatDifferInAnyFact) {
  const pm_ram_run first = run_of(8, 2, PM_RAM_SLAB);
  const auto with = [](auto change) {
    pm_ram_run run = run_of(10, 2, PM_RAM_SLAB);
    change(run);
    return run;
  };
  EXPECT_THAT(ram_of({first, with([](pm_ram_run&) {})}), testing::HasSubstr("ram.runs=1,"));
  for (const pm_ram_run& next :
       {with([](pm_ram_run& r) { ++r.first_pfn; }),
        with([](pm_ram_run& r) { r.class_ = PM_RAM_ANON; }), with([](pm_ram_run& r) { ++r.owner; }),
        with([](pm_ram_run& r) { ++r.cgroup; }),
        with([](pm_ram_run& r) { r.flags |= PM_PAGE_DIRTY; }),
        with([](pm_ram_run& r) { ++r.count; }), with([](pm_ram_run& r) { ++r.place; })})
    EXPECT_THAT(ram_of({first, next}), testing::HasSubstr("ram.runs=2,"));
}

}  // namespace
}  // namespace physmem
