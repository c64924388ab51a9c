// SPDX-License-Identifier: MIT
// The exact line of each record (I4 to I7). tests/property checks that parse(emit(r)) == r.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/emit/flags.h"
#include "tests/emitted_text.h"

namespace physmem {
namespace {

std::string task_named(const std::string& name) {
  pm_task task{};
  task.comm = text_of(name);
  return emitted_by([&](pm_out* out) { pm_emit_task(out, &task); });
}

TEST(Emit, WritesTheFirstVmaOfThePaperWithTheFieldsOfVersion2) {
  const std::string unit = "/lib/libc-2.2.5.so";
  const pm_vma vma{.start = 0x0FE94000,
                   .last = 0x0FFB0FFF,
                   .resident = 0x5D000,
                   .prot = 0x412,
                   .flags = 0x75,
                   .unit = text_of(unit),
                   .offset = 0,
                   .dev_major = 8,
                   .dev_minor = 1,
                   .inode = 77,
                   .has_raw_flags = false,
                   .raw_flags = 0};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_vma(out, &vma); }),
            "V: 0FE94000, 0FFB0FFF, 0011D000, 0005D000, 00000412, 00000075, /lib/libc-2.2.5.so, "
            "00000000, "
            "08:01, 77\n");
}

TEST(Emit, WritesThePaperMappingsAsOneLine) {
  const pm_page pages[] = {{0x0FE94000, 0x02876012, 22, 0x420CC},
                           {0x0FE95000, 0x02849012, 22, 0x420CC}};
  EXPECT_EQ(emitted_by([&](pm_out* out) {
              pm_emit_pages_begin(out);
              pm_emit_pages(out, pages, 2);
              pm_emit_pages_end(out);
            }),
            "M: 0FE94000=02876012, 22, 000420CC | 0FE95000=02849012, 22, 000420CC |\n");
}

TEST(Emit, WritesAnEmptyLineForNoEntries) {
  EXPECT_EQ(emitted_by([](pm_out* out) {
              pm_emit_pages_begin(out);
              pm_emit_pages(out, nullptr, 0);
              pm_emit_pages_end(out);
              pm_emit_swapped_begin(out);
              pm_emit_swapped_end(out);
            }),
            "M:\nS:\n");
}

TEST(Emit, WritesTheHeaderOnOneLine) {
  const pm_header header{.arch = "x86_64",
                         .kernel = "6.1.0-56-amd64",
                         .collector = "kmod",
                         .pte = "raw",
                         .prot = "raw",
                         .count = "mapcount",
                         .pages = "all",
                         .pfn = "shown",
                         .page_size = 4096,
                         .time_ns = 1,
                         .uptime_ns = 2,
                         .hz = 250,
                         .ram_pages = 3,
                         .phys_mask = 0x000FFFFFFFFFF000,
                         .areas = nullptr,
                         .ram = nullptr,
                         .ram_by = nullptr,
                         .files = "named",
                         .host = nullptr,
                         .machine_id = nullptr,
                         .boot_id = nullptr,
                         .has_sequence = false,
                         .sequence = 0};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_header(out, &header); }),
            "H: 2, arch=x86_64, page_size=4096, kernel=6.1.0-56-amd64, collector=kmod, time_ns=1, "
            "uptime_ns=2, hz=250, "
            "ram_pages=3, phys_mask=FFFFFFFFFF000, pte=raw, prot=raw, flags=kpf, count=mapcount, "
            "pages=all, "
            "pfn=shown, files=named\n");
}

TEST(Emit, OmitsUnknownHeaderKeys) {
  pm_header header{};
  header.collector = "crash";
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_header(out, &header); }),
            "H: 2, page_size=0, collector=crash, time_ns=0, hz=0, ram_pages=0, "
            "phys_mask=00000000, flags=kpf\n");
}

TEST(Emit, WritesRamMachineBootAndSequenceAtTheEndOfTheHeader) {
  pm_header header{};
  header.machine_id = "c05e";
  header.boot_id = "6d2f-01";
  header.has_sequence = true;
  header.ram = "all";
  header.ram_by = "kmod";
  EXPECT_THAT(
      emitted_by([&](pm_out* out) { pm_emit_header(out, &header); }),
      testing::EndsWith(
          ", flags=kpf, ram=all, ram_by=kmod, machine_id=c05e, boot_id=6d2f-01, sequence=0\n"));
}

TEST(Emit, WritesAreasNoneInTheHeader) {
  pm_header header{};
  header.pages = "none";
  header.areas = "none";
  EXPECT_THAT(emitted_by([&](pm_out* out) { pm_emit_header(out, &header); }),
              testing::EndsWith(", pages=none, areas=none\n"));
}

TEST(Emit, OmitsDefaultHostNames) {
  for (const char* host : {"", "(none)", "localhost"}) {
    pm_header header{};
    header.host = host;
    EXPECT_THAT(emitted_by([&](pm_out* out) { pm_emit_header(out, &header); }),
                testing::EndsWith(", flags=kpf\n"))
        << host;
  }
}

TEST(Emit, WritesTheHostNameLastAndEscaped) {
  pm_header header{};
  header.pages = "all";
  header.host = "web,1";
  EXPECT_THAT(emitted_by([&](pm_out* out) { pm_emit_header(out, &header); }),
              testing::EndsWith(", pages=all, host=web\\0541\n"));
}

TEST(Emit, WritesCountersOnOneLineAndNoLineWithoutCounters) {
  const pm_counter counters[] = {{"vm.pgmajfault", 160}, {"mem.MemTotal_kB", 24641536}};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_counters(out, counters, 2); }),
            "G: vm.pgmajfault=160, mem.MemTotal_kB=24641536\n");
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_counters(out, counters, 0); }), "");
}

TEST(Emit, WritesGroupSumsForThreadGroupLeadersOnly) {
  const std::string comm = "init";
  const std::string cgroup = "/init.scope";
  pm_task task{.comm = text_of(comm),
               .pid = 1,
               .mm = 0xC018C0A0,
               .cpu = 0,
               .min_flt = 392597,
               .maj_flt = 160,
               .cmin_flt = 69857,
               .cmaj_flt = 174569,
               .utime = 8771,
               .stime = 30193,
               .tgid = 1,
               .start_time = 5,
               .ppid = 0,
               .uid = 0,
               .is_leader = true,
               .group_min_flt = 400000,
               .group_maj_flt = 161,
               .group_utime = 8772,
               .group_stime = 30194,
               .cgroup = text_of(cgroup)};
  const std::string own =
      "T: init    , 1, C018C0A0, 0, 392597, 160, 69857, 174569, 8771, 30193, 1, 5, 0, 0";
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_task(out, &task); }),
            own + ", 400000, 161, 8772, 30194, /init.scope\n");
  task.is_leader = false;
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_task(out, &task); }), own + "\n");
}

TEST(Emit, WritesCountsSwappedPagesAndEnd) {
  pm_page_counts counts{93, 0, 93, 0, 93, 4, 0};
  const pm_swap entries[] = {{0x10000000, 0, 0x2A4}, {0x10001000, 31, 0x123456789}};
  const pm_end end{2, 5, 107, 2, 0};
  EXPECT_EQ(emitted_by([&](pm_out* out) {
              pm_emit_page_counts(out, &counts);
              pm_emit_swapped_begin(out);
              pm_emit_swapped(out, entries, 2);
              pm_emit_swapped_end(out);
              pm_emit_end(out, &end);
            }),
            "P: 93, 0, 93, 0, 93, 4\n"
            "S: 10000000=0:000002A4 | 10001000=31:123456789 |\n"
            "E: 2, 5, 107, 2, 0\n");
}

TEST(Emit, WritesSwappedPagesOfUnknownSlotAtTheEndOfTheCounts) {
  const pm_page_counts counts{1, 0, 0, 1, 0, 4, 8};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_page_counts(out, &counts); }),
            "P: 1, 0, 0, 1, 0, 4, 8\n");
}

TEST(Emit, WritesExcludedPagesAtTheEndUnlessZero) {
  pm_end end{2, 5, 107, 2, 0};
  const auto text = [&] { return emitted_by([&](pm_out* out) { pm_emit_end(out, &end); }); };
  EXPECT_EQ(text(), "E: 2, 5, 107, 2, 0\n");
  end.excluded = 17;
  EXPECT_EQ(text(), "E: 2, 5, 107, 2, 0, 17\n");
}

TEST(Emit, EscapesFieldAndLineSeparators) {
  EXPECT_EQ(task_named("a,b|c\\d\ne").substr(0, 26), "T: a\\054b\\174c\\134d\\012e, ");
  EXPECT_EQ(task_named("\xC3\xA4\x7F").substr(0, 17), "T: \\303\\244\\177, ");
  EXPECT_EQ(task_named(std::string("a\0b", 3)).substr(0, 13), "T: a\\000b  , ");
}

TEST(Emit, EscapesLeadingAndTrailingBlanksOnly) {
  EXPECT_EQ(task_named(" a b ").substr(0, 16), "T: \\040a b\\040, ");
  EXPECT_EQ(task_named(" ").substr(0, 13), "T: \\040    , ");
}

TEST(Emit, PadsNamesToEightColumnsAndKeepsLongerNames) {
  EXPECT_EQ(task_named("").substr(0, 13), "T:         , ");
  EXPECT_EQ(task_named("ksoftirqd/0").substr(0, 16), "T: ksoftirqd/0, ");
}

TEST(Emit, WritesNullForAVmaWithoutMappedObject) {
  const pm_vma vma{.start = 0x1000,
                   .last = 0x1FFF,
                   .resident = 0,
                   .prot = 0,
                   .flags = 3,
                   .unit = {nullptr, 0},
                   .offset = 0,
                   .dev_major = 0,
                   .dev_minor = 0,
                   .inode = 0,
                   .has_raw_flags = true,
                   .raw_flags = 0x8100073};
  EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_vma(out, &vma); }),
            "V: 00001000, 00001FFF, 00001000, 00000000, 00000000, 00000003, NULL, 00000000, 00:00, "
            "0, 08100073\n");
}

TEST(Emit, WritesTheLargestNumbersInFull) {
  const std::uint64_t max = ~std::uint64_t{0};
  const pm_page page{0xFFFFFFFFFFFFF000, max, max, max};
  const pm_end end{max, 4294967295, 4294967296, 10000000000000000000u, max};
  EXPECT_EQ(emitted_by([&](pm_out* out) {
              pm_emit_pages(out, &page, 1);
              pm_emit_pages_end(out);
              pm_emit_end(out, &end);
            }),
            " FFFFFFFFFFFFF000=FFFFFFFFFFFFFFFF, 18446744073709551615, FFFFFFFFFFFFFFFF |\n"
            "E: 18446744073709551615, 4294967295, 4294967296, 10000000000000000000, 0, "
            "18446744073709551615\n");
}

TEST(Emit, WritesPowersOfTenAndTheirNeighbours) {
  std::uint64_t power = 1;
  for (int digits = 0; digits < 20; ++digits, power *= 10) {
    for (const std::uint64_t value : {power - 1, power, power + 1}) {
      const pm_counter counter{"n", value};
      EXPECT_EQ(emitted_by([&](pm_out* out) { pm_emit_counters(out, &counter, 1); }),
                "G: n=" + std::to_string(value) + "\n");
    }
  }
}

TEST(Emit, WritesDevicesWithTwoDigitsOrMore) {
  pm_vma vma{};
  vma.last = 0xFFF;
  vma.dev_major = 0x103;
  vma.dev_minor = 0xFFFFF;
  EXPECT_NE(emitted_by([&](pm_out* out) { pm_emit_vma(out, &vma); }).find(", 103:FFFFF, 0\n"),
            std::string::npos);
}

}  // namespace
}  // namespace physmem
