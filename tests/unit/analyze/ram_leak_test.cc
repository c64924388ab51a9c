// SPDX-License-Identifier: MIT
// Growth of the whole of RAM over a series: what is named, and what is not.
#include <gtest/gtest.h>

#include <functional>

#include "analyzer/analyze/time/ram_leak_search.h"
#include "tests/unit/maps_snapshot.h"
#include "tests/unit/ram_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

constexpr int kSnapshots = 6;

/// Records of a snapshot by its number, from 0.
using Records = std::function<std::string(std::uint64_t)>;

struct Found {
  LeakSearch processes;
  RamLeakSearch ram{processes};

  void add(const std::string& snapshot) { fold(snapshot, {&processes, &ram}); }
};

std::string name_of(const RamLeakRow& row) {
  constexpr std::array kKinds{"file",   "shared", "slab",      "code", "tables",
                              "folder", "cache",  "shared fs", "class"};
  return fmt::format("{} {}{}{}{}", kKinds[static_cast<std::size_t>(row.subject.kind)],
                     row.subject.name, row.process, row.is_reclaimable ? ", reclaimable" : "",
                     row.is_rest ? ", rest" : "");
}

/// The leaks, one per line, with pages per snapshot.
std::string leaks(const Found& found) {
  std::string text = "\n";
  for (const RamLeakRow& row : found.ram.rows(found.processes.rows()))
    if (row.verdict.is_leak())
      text += fmt::format("{}: {:.0f}\n", name_of(row), row.verdict.fit.slope * 10);
  return text;
}

/// A snapshot every ten seconds.
std::string leaks_of(const Records& records, std::string_view more = "ram_by=kcore") {
  Found found;
  for (int i = 0; i < kSnapshots; ++i)
    found.add(ram_snapshot(100 + 10 * i, records(static_cast<std::uint64_t>(i)), more));
  return leaks(found);
}

constexpr std::string_view kSlabs = "O: 1, slab, 80, 51, sigqueue\nO: 2, slab, 192, 21, dentry\n";

TEST(RamLeaks, NamesSlabCacheAndNotItsClass) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kSlabs) +
                     RamLines().add(100 + 90 * i, "slab", 1).add(500, "slab", 2).text();
            }),
            "\nslab sigqueue: 90\n");
}

TEST(RamLeaks, NamesClassIfNoOwnerExplainsIt) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kSlabs) +
                     RamLines().add(100 + 90 * i, "slab", 1).add(500 + 70 * i, "slab").text();
            }),
            "\nslab sigqueue: 90\nclass unreclaimable slab, rest: 70\n");
  EXPECT_EQ(
      leaks_of([](std::uint64_t i) { return RamLines().add(300 + 70 * i, "unknown").text(); }),
      "\nclass unknown: 70\n")
      << "memory of drivers";
}

TEST(RamLeaks, CallsGrowthOfReclaimableSlabsReclaimable) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kSlabs) + RamLines().add(100 + 90 * i, "slab", 2).text();
            }),
            "\nslab dentry, reclaimable: 90\n");
}

/// A cache of this name grows in snapshots with these counters.
std::string leaks_of_slab(const std::string& name, const std::string& counters) {
  return leaks_of([&](std::uint64_t i) {
    return counters + "O: 1, slab, 192, 21, " + name + "\n" +
           RamLines().add(100 + 90 * i, "slab", 1).text();
  });
}

TEST(RamLeaks, TakesSlabsAsReclaimableByTheirFlag) {
  const std::string flags = "G: slab_reclaimable.dentry=1, slab_reclaimable.xfs_inode=1\n";
  EXPECT_EQ(leaks_of_slab("xfs_inode", flags), "\nslab xfs_inode, reclaimable: 90\n");
  EXPECT_EQ(leaks_of_slab("ext4_inode_cache", flags), "\nslab ext4_inode_cache: 90\n");
  EXPECT_EQ(leaks_of_slab("a b", "G: slab_reclaimable.a_b=1\n"), "\nslab a b, reclaimable: 90\n");
}

TEST(RamLeaks, TakesSlabsAsReclaimableByNameOnlyWithoutFlags) {
  EXPECT_EQ(leaks_of_slab("ext4_inode_cache", ""), "\nslab ext4_inode_cache, reclaimable: 90\n");
  EXPECT_EQ(leaks_of_slab("xfs_inode", ""), "\nslab xfs_inode: 90\n");
  for (const std::string name : {"lsm", "proc", "hugetlbfs", "debugfs"})
    EXPECT_EQ(leaks_of_slab(name + "_inode_cache", ""), "\nslab " + name + "_inode_cache: 90\n");
}

TEST(RamLeaks, LeavesIndexOfCachedPagesOutOfItsClassAlsoWithoutFlags) {
  EXPECT_EQ(leaks_of_slab("buffer_head", ""), "\nslab buffer_head: 90\n");
  EXPECT_EQ(
      leaks_of([](std::uint64_t i) {
        return "O: 1, slab, 104, 39, buffer_head\nO: 2, file, ext2, 7:0, 12, 0, 1, -, /data\n" +
               RamLines().add(100 + 60 * i, "slab", 1).add(600 * i, "file", 2, 1).text();
      }),
      "\n");
}

TEST(RamLeaks, NeverTakesInodesOfSocketsAndMemoryAsReclaimable) {
  for (const std::string name : {"sock_inode_cache", "shmem_inode_cache", "mqueue_inode_cache"}) {
    EXPECT_EQ(leaks_of_slab(name, "G: slab_reclaimable." + name + "=1\n"),
              "\nslab " + name + ": 90\n");
    EXPECT_EQ(leaks_of_slab(name, ""), "\nslab " + name + ": 90\n");
  }
}

TEST(RamLeaks, TakesIndexOfCachedPagesForTheirCost) {
  const auto with_cache = [](std::uint64_t cached) {
    return leaks_of([cached](std::uint64_t i) {
      return "G: slab_reclaimable.buffer_head=1\nO: 1, slab, 104, 39, buffer_head\nO: 2, file, "
             "ext2, 7:0, 12, 0, 1, -, /data\n" +
             RamLines().add(100 + 60 * i, "slab", 1).add(cached * i, "file", 2, 1).text();
    });
  };
  EXPECT_EQ(with_cache(600), "\n");
  EXPECT_EQ(with_cache(0), "\nslab buffer_head, reclaimable: 60\n");
}

TEST(RamLeaks, NamesCodeByOwnerOrByTotals) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return "O: 1, code, bpf_prog_alloc+0x10\n" +
                     RamLines().add(100 + 90 * i, "vmalloc", 1).text();
            }),
            "\ncode bpf_prog_alloc+0x10: 90\n");
  EXPECT_EQ(leaks_of(
                [](std::uint64_t i) {
                  return fmt::format(
                             "G: vmalloc.bpf_prog_alloc={0}, ram.before.vmalloc={0}, "
                             "ram.after.vmalloc={0}, slab.sigqueue={0}\n",
                             100 + 90 * i) +
                         RamLines().add(1000 + 90 * i, "unmarked").add(100 + 90 * i, "slab").text();
                },
                "ram_by=proc"),
            "\nslab sigqueue: 90\ncode bpf_prog_alloc: 90\n")
      << "the classes are explained";
}

constexpr std::string_view kFiles =
    "O: 1, file, ext4, FE:01, 11, 0, 1, -, /var/log/a\n"
    "O: 2, file, ext4, FE:01, 12, 0, 1, -, /var/log/b\n"
    "O: 3, file, tmpfs, 0:17, 13, 0, 1, -, /x\n";

TEST(RamLeaks, NamesFileWithoutItsFolders) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kFiles) +
                     RamLines().add(100 + 90 * i, "file", 1).add(500, "file", 2).text();
            }),
            "\nfile /var/log/a, reclaimable: 90\n");
}

TEST(RamLeaks, NamesFolderWhoseFilesAreEachTooSmall) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              std::string owners = "O: 1, file, ext4, FE:01, 9, 0, 1, -, /usr/lib/libc.so\n";
              RamLines runs;
              runs.add(400, "file", 1);
              for (std::uint64_t n = 0; n < 20 * (i + 5); ++n) {
                owners += fmt::format("O: {0}, file, ext4, FE:01, {0}, 0, 1, -, /mail/new/{0}/m\n",
                                      n + 10);
                runs.add(4, "file", n + 10);
              }
              return owners + runs.text();
            }),
            "\nfolder /mail/new, reclaimable: 80\n");
}

TEST(RamLeaks, NamesPageCacheWithoutOwnersAsAWhole) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) { return RamLines().add(500 + 90 * i, "file").text(); },
                     "ram_by=proc"),
            "\ncache , reclaimable: 90\n");
}

TEST(RamLeaks, IgnoresCacheThatWasMappedBefore) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kFiles) + RamLines()
                                               .add(1000 - 90 * i, "file", 1, 1)
                                               .add(100 + 90 * i, "file", 1, 0, 500)
                                               .text();
            }),
            "\n")
      << "processes that map the file end one after the other";
}

TEST(RamLeaks, IgnoresCacheThatProcessesMap) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kFiles) + RamLines().add(100 + 90 * i, "file", 1, 1).text();
            }),
            "\n");
}

TEST(RamLeaks, IgnoresCacheThatFillsAtTheStart) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kFiles) +
                     RamLines().add(std::min<std::uint64_t>(100 + 300 * i, 700), "file", 1).text();
            }),
            "\n");
}

TEST(RamLeaks, NamesFileInMemoryWithoutFileSystemAndClass) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              return std::string(kFiles) +
                     RamLines().add(100 + 90 * i, "shmem", 3).add(300, "shmem").text();
            }),
            "\nshared /x: 90\n");
  EXPECT_EQ(leaks_of([](std::uint64_t i) { return RamLines().add(100 + 90 * i, "shmem").text(); },
                     "ram_by=proc"),
            "\nclass shmem: 90\n");
}

TEST(RamLeaks, NamesFileSystemWhoseFilesAreEachTooSmall) {
  EXPECT_EQ(leaks_of([](std::uint64_t i) {
              std::string owners;
              RamLines runs;
              for (std::uint64_t n = 1; n < 20 * (i + 5); ++n) {
                owners += fmt::format("O: {0}, file, tmpfs, 0:17, {0}, 0, 1, -, /{0}\n", n);
                runs.add(4, "shmem", n);
              }
              return owners + runs.text();
            }),
            "\nshared fs : 80\n");
}

/// A process with an area of so many pages, then the records.
std::string with_process(int second, std::uint64_t pages, const std::string& records,
                         std::string_view area = "rw-p 0 0 [heap]", std::string_view page = "a1") {
  std::string maps = fmt::format("process db 371\n1000-{:x} {} :", 0x1000 + (pages << 12), area);
  for (std::uint64_t i = 0; i < pages; ++i) maps += fmt::format(" {}", page);
  std::string text = with(maps_snapshot(maps + "\n"), "uptime_ns=1,",
                          fmt::format("uptime_ns={}000000000,", second));
  text = with(text, "pfn=shown", "pfn=shown, ram=all, ram_by=kcore");
  const std::size_t end = text.rfind("E: ");
  return text.substr(0, end) + records + text.substr(end);
}

TEST(RamLeaks, LeavesAnonymousMemoryToTheProcessThatLeaks) {
  const auto series = [](std::uint64_t others) {
    Found found;
    for (int i = 0; i < kSnapshots; ++i) {
      const std::uint64_t heap = 100 + 90 * static_cast<std::uint64_t>(i);
      found.add(with_process(100 + 10 * i, heap,
                             RamLines()
                                 .add(heap, "anon", 0, 1)
                                 .add(500 + others * static_cast<std::uint64_t>(i), "anon")
                                 .text()));
    }
    return leaks(found);
  };
  EXPECT_EQ(series(0), "\n");
  EXPECT_EQ(series(70), "\nclass anon: 70\n") << "no process explains this part";
}

TEST(RamLeaks, LeavesMappedSharedMemoryToTheProcessThatLeaks) {
  const auto series = [](std::uint64_t count) {
    Found found;
    for (int i = 0; i < kSnapshots; ++i) {
      const std::uint64_t pages = 100 + 90 * static_cast<std::uint64_t>(i);
      found.add(with_process(100 + 10 * i, pages,
                             std::string(kFiles) + RamLines().add(pages, "shmem", 3, count).text(),
                             "rw-s 0 13 /dev/shm/x", "f1"));
    }
    return leaks(found);
  };
  EXPECT_EQ(series(1), "\n");
  EXPECT_EQ(series(0), "\nshared /x: 90\n") << "another file than the process's";
}

TEST(RamLeaks, NamesPageTablesByProcess) {
  const auto series = [](std::string_view counter) {
    Found found;
    for (int i = 0; i < kSnapshots; ++i)
      found.add(with_process(
          100 + 10 * i, 10,
          fmt::format("G: {}={}\n", counter, 4 * (100 + 90 * i)) +
              RamLines().add(200 + 90 * static_cast<std::uint64_t>(i), "pgtable").text()));
    return leaks(found);
  };
  EXPECT_EQ(series("process.371.page_tables_kB"), "\ntables db: 90\n");
  EXPECT_EQ(series("process.99.page_tables_kB"), "\nclass pgtable: 90\n");
}

TEST(RamLeaks, BeginsAgainAfterReboot) {
  Found found;
  for (int i = 0; i < kSnapshots; ++i)
    found.add(
        ram_snapshot(100 + 10 * i,
                     std::string(kSlabs) +
                         RamLines().add(100 + 90 * static_cast<std::uint64_t>(i), "slab", 1).text(),
                     i < 4 ? "ram_by=kcore, boot_id=a" : "ram_by=kcore, boot_id=b"));
  EXPECT_EQ(leaks(found), "\n") << "two snapshots are too few";
  EXPECT_EQ(found.ram.samples(), 2U);
}

TEST(RamLeaks, SkipsSnapshotsWithoutTheWholeOfRam) {
  Found found;
  for (int i = 0; i < 2 * kSnapshots; ++i) {
    const std::string ram = ram_snapshot(
        100 + 10 * i,
        std::string(kSlabs) +
            RamLines().add(100 + 45 * static_cast<std::uint64_t>(i), "slab", 1).text());
    found.add(i % 2 == 0 ? ram : with(ram, ", ram=all", ""));
  }
  EXPECT_EQ(leaks(found), "\nslab sigqueue: 45\n");
  EXPECT_EQ(found.ram.without_ram(), static_cast<std::size_t>(kSnapshots));
}

TEST(RamSeries, FollowsSubjectsFromTheirFirstLargeSampleOn) {
  RamSeries series;
  const auto sample = [&](std::uint64_t pages) {
    series.begin_sample(64);
    RamSeriesEntry* const parent = series.add_always({RamKind::kClass, "slab"}, {pages, 0});
    series.add({RamKind::kSlab, "a"}, {pages, 0}, parent);
    series.end_sample();
  };
  const auto pages_of_a = [&] {
    std::vector<std::uint64_t> pages;
    for (const RamSeriesEntry* entry : series.bottom_up())
      if (entry->subject->kind == RamKind::kSlab) pages = entry->pages;
    return pages;
  };
  for (const std::uint64_t pages : {63U, 64U, 10U, 0U}) sample(pages);
  EXPECT_EQ(pages_of_a(), (std::vector<std::uint64_t>{64, 10, 0}));
  for (std::size_t i = 0; i < RamSeries::kMaxEmpty - 1; ++i) sample(0);
  EXPECT_EQ(pages_of_a().size(), 3 + RamSeries::kMaxEmpty - 1);
  sample(0);
  EXPECT_TRUE(pages_of_a().empty()) << "dropped";
}

}  // namespace
}  // namespace physmem
