// SPDX-License-Identifier: MIT
// The page cache by file, folder and process, and maps of files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyzer/analyze/process/file_map.h"
#include "analyzer/analyze/ram/folder_tree.h"
#include "analyzer/analyze/ram/page_cache.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::ElementsAre;

// Flags: 68 active, referenced, LRU …; 10 dirty, 100 writeback.
constexpr std::string_view kCache =
    R"(Z: 0, Normal, 00000000, 512, 512, 512, 100, 4, 1, 2, 3
O: 1, mount, FE:01, /
O: 2, mount, 00:20, /run
O: 3, file, ext4, FE:01, 10, 40960, 1, -, /usr/lib/x86/liba.so
O: 4, file, ext4, FE:01, 11, 8192, 1, -, /usr/lib/x86/libb.so
O: 5, file, ext4, FE:01, 12, 4096, 0, -, /var/log/old
O: 6, file, tmpfs, 00:20, 7, 4096, 1, -, /user/socket
O: 7, file, tmpfs, 00:01, 5, 16384, 0, -, /memfd:shared
O: 8, file, tmpfs, 00:01, 6, 16384, 0, -, /SYSV00000000
O: 9, file, bdev, 00:03, 1, 0, 1, -, /dev/block/254:1
O: 10, file, xfs, 08:01, 9, 4096, 1, -, /data
R: 00000000, 2, file, 3, 0, 00000068, 2, 00000000
R: 00000002, 3, file, 3, 0, 00000028, 0, 00000005
R: 00000005, 1, file, 4, 0, 00000038, 0, 00000000
R: 00000006, 1, file, 5, 0, 00000028, 0, 00000000
R: 00000007, 1, shmem, 6, 0, 00004038, 0, 00000000
R: 00000008, 4, shmem, 7, 0, 00004038, 1, 00000000
R: 0000000C, 2, shmem, 8, 0, 00004038, 0, 00000000
R: 0000000E, 5, block, 9, 0, 00000128, 0, 00000000
R: 00000013, 1, file, 10, 0, 00000028, 0, 00000000
R: 00000014, 7, shmem, 0, 0, 00004028, 0, 00000000
R: 0000001B, 9, anon, 0, 0, 00005028, 1, 00000000
G: ram.runs=11, ram.frames=36, ram.owners=10
)";

std::string cache_snapshot(std::string_view records) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  return with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), kEnd,
              std::string(records) + std::string(kEnd));
}

template <class Fold>
Fold folded(std::string_view records, Fold fold_of) {
  fold(cache_snapshot(records), {&fold_of});
  return fold_of;
}

std::vector<std::string> names(const PageCache& cache) {
  std::vector<std::string> names;
  for (const CacheRow& row : cache.rows())
    names.push_back(row.file->name + " " + std::to_string(row.counts->pages));
  return names;
}

std::vector<std::string> folders(const PageCache& cache, std::uint64_t least = 1) {
  std::vector<std::string> folders;
  for (const FolderRow& row : folder_rows(cache, least))
    folders.push_back(std::string(2 * row.depth, ' ') + row.path.substr(row.parent_size) + " " +
                      std::to_string(row.counts.pages));
  return folders;
}

TEST(PageCache, ListsFilesWithTheirMountPoints) {
  EXPECT_THAT(names(folded(kCache, PageCache())),
              ElementsAre("/usr/lib/x86/liba.so 5", "/dev/block/254:1 5", "/memfd:shared 4",
                          "/SYSV00000000 2", "/usr/lib/x86/libb.so 1", "/var/log/old 1",
                          "/run/user/socket 1", "[xfs 8:1]/data 1"));
}

// perf links a file of the system into its own folder.
TEST(PageCache, HasTheNameByWhichProcessesMapAFileWithSeveral) {
  const auto name = [](const char* links) {
    return names(
        folded("O: 1, mount, FE:01, /\n"
               "O: 2, file, ext4, FE:01, 1835, 44016, " +
                   std::string(links) +
                   ", -, /root/.debug/cat/elf\n"
                   "R: 00000000, 3, file, 2, 0, 00000068, 1, 00000000\n",
               PageCache()));
  };
  EXPECT_THAT(name("2"), ElementsAre("/usr/bin/cat 3"));
  EXPECT_THAT(name("1"), ElementsAre("/root/.debug/cat/elf 3"));
}

TEST(PageCache, CountsPagesByTheirFlags) {
  const PageCache cache = folded(kCache, PageCache());
  const CacheCounts sum = cache.total();
  EXPECT_EQ(sum.pages, 27u);
  EXPECT_EQ(sum.mapped, 2u + 4u);
  EXPECT_EQ(sum.dirty, 1u + 1u + 4u + 2u);
  EXPECT_EQ(sum.writeback, 5u);
  EXPECT_EQ(sum.active, 2u);
  EXPECT_EQ(cache.unnamed().pages, 7u);
  EXPECT_EQ(cache.deleted().pages, 1u);
}

TEST(PageCache, DistinguishesKinds) {
  const PageCache cache = folded(kCache, PageCache());
  EXPECT_EQ(cache.of(CacheKind::kFile).pages, 8u);
  EXPECT_EQ(cache.of(CacheKind::kBlock).pages, 5u);
  EXPECT_EQ(cache.of(CacheKind::kTmpfs).pages, 1u + 7u);
  EXPECT_EQ(cache.of(CacheKind::kMemfd).pages, 4u);
  EXPECT_EQ(cache.of(CacheKind::kSysV).pages, 2u);
  EXPECT_EQ(cache.count_files([](const CachedFile& file) { return file.is_deleted; }), 1u);
}

// A file called SYSV… in /dev/shm has a name.
TEST(PageCache, TakesOnlyFilesWithoutNameForSharedMemory) {
  const PageCache cache =
      folded(with(kCache, "6, 16384, 0, -, /SYSV", "6, 16384, 1, -, /SYSV"), PageCache());
  EXPECT_EQ(cache.of(CacheKind::kSysV).pages, 0u);
}

TEST(PageCache, CountsProcessesThatMapAFile) {
  // Two of the three pages are mapped by the process of the sample.
  const PageCache cache = folded(
      "O: 1, file, ext4, FE:01, 1835, 44016, 1, -, /usr/bin/cat\n"
      "R: 00000000, 3, file, 1, 0, 00000068, 1, 00000000\n",
      PageCache());
  ASSERT_EQ(cache.users().size(), 1u);
  EXPECT_EQ(cache.users()[0].pid, 371u);
  EXPECT_EQ(cache.users()[0].pages, 2u);
  EXPECT_EQ(cache.users()[0].largest->name, "/usr/bin/cat");
  EXPECT_EQ(cache.rows()[0].processes, 1u);
}

// The first segment of shmget() has number and inode 0.
TEST(PageCache, CountsProcessesThatMapAFileWithInode0) {
  constexpr std::string_view kMapped =
      R"(T: work, 400, 00000190, 1, 92, 0, 0, 0, 0, 0, 400, 8639981, 370, 0, 92, 0, 0, 0, /
V: 7F0000000000, 7F0000001FFF, 00002000, 00002000, 00000000, 0000000B, /SYSV0, 00000000, 00:01, 0
P: 2, 0, 0, 2, 0, 0
M: 7F0000000000=1B2B3000, 1, 00004838 | 7F0000001000=1B2B4000, 1, 00004838 |
O: 1, file, tmpfs, 00:01, 0, 8192, 0, -, SYSV00000000
R: 00000000, 2, shmem, 1, 0, 00004838, 1, 00000000
E: 3, 3, 5, 1, 0)";
  PageCache cache;
  fold(with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), "E: 2, 2, 3, 1, 0",
            kMapped),
       {&cache});
  ASSERT_EQ(cache.rows().size(), 1u);
  EXPECT_EQ(cache.rows()[0].processes, 1u);
  EXPECT_EQ(cache.users()[0].pages, 2u);
}

// overlayfs: maps shows its own device and inode, the frames belong to a file below.
constexpr std::string_view kOverlay =
    R"(T: server, 400, 00000190, 1, 92, 0, 0, 0, 0, 0, 400, 8639981, 370, 0, 92, 0, 0, 0, /
V: 7F0000000000, 7F0000003FFF, 00004000, 00004000, 00000000, 00000009, /lib/c1.so, 00000000, 00:1D, 14
P: 4, 0, 4, 4, 0, 0
M: 7F0000000000=00010000, 1, 0000083C | 7F0000001000=00011000, 1, 0000083C | 7F0000002000=00012000, 1, 0000083C | 7F0000003000=00013000, 1, 0000083C |
O: 1, file, ext4, 07:00, 14, 16384, 1, -, /lower/lib/c1.so
O: 2, file, ext4, 07:00, 15, 4096, 1, -, /lower/lib/c2.so
O: 3, file, overlay, 00:1D, 14, 4096, 1, -, /lib/c1.so
R: 00000010, 4, file, 1, 0, 0000083C, 1, 00000000
R: 00000014, 1, file, 2, 0, 0000083C, 0, 00000000
R: 00000015, 1, file, 3, 0, 0000083C, 0, 00000000
E: 3, 3, 7, 1, 0)";

std::vector<std::string> mappers(std::string_view records) {
  PageCache cache;
  fold(with(with(kSample, "pages=all,", "pages=all, ram=all, ram_by=kcore,"), "E: 2, 2, 3, 1, 0",
            records),
       {&cache});
  std::vector<std::string> mappers;
  for (const CacheRow& row : cache.rows())
    mappers.push_back(row.file->name + " " + std::to_string(row.processes.value_or(99)));
  for (const CacheUser& user : cache.users())
    mappers.push_back(user.name + " " + std::to_string(user.pages) + " " + user.largest->name);
  return mappers;
}

TEST(PageCache, CountsProcessesByTheFramesThatTheyMap) {
  EXPECT_THAT(mappers(kOverlay), ElementsAre("/lower/lib/c1.so 1", "/lower/lib/c2.so 0",
                                             "/lib/c1.so 0", "server 4 /lower/lib/c1.so"));
}

// The last frame of the area got another owner before R: was read: the name decides.
TEST(PageCache, CountsProcessesByDeviceAndInodeIfTheFramesDisagree) {
  EXPECT_THAT(mappers(with(with(kOverlay, "R: 00000010, 4", "R: 00000010, 3"),
                           "R: 00000014, 1, file, 2", "R: 00000013, 2, file, 2")),
              ElementsAre("/lower/lib/c1.so 0", "/lower/lib/c2.so 0", "/lib/c1.so 1",
                          "server 4 /lib/c1.so"));
}

/// Files were counted one by one, because frames do not show their file.
constexpr std::string_view kCounted =
    R"(O: 1, file, ext4, FE:01, 1835, 40960, 1, -, /usr/bin/cat, 9, 2, 1
O: 2, file, tmpfs, 00:01, 5, 16384, 0, -, /memfd:shared, 4, 0, 0
O: 3, file, ext4, FE:01, 12, 8192, 0, -, /var/log/old, 2, -, -
G: files.asked=7, files.pages=40, files.denied=2, files.skipped=1
)";

PageCache counted(std::string_view header, std::string_view more = {},
                  PageCache cache = PageCache()) {
  constexpr std::string_view kEnd = "E: 2, 2, 3, 1, 0";
  const std::string text =
      with(with(kSample, "pages=all,", std::string("pages=all, ") + std::string(header)), kEnd,
           std::string(kCounted) + std::string(more) + std::string(kEnd));
  fold(with(text, "mem.MemTotal_kB=24641536",
            "mem.MemTotal_kB=24641536, mem.Cached_kB=300, mem.Buffers_kB=100"),
       {&cache});
  return cache;
}

TEST(PageCache, KnowsTheRestOfTheCacheByMeminfo) {
  const PageCache cache = counted("ram=totals, ram_by=proc, files=open,");
  EXPECT_TRUE(cache.is_known());
  EXPECT_THAT(names(cache), ElementsAre("/usr/bin/cat 9", "/memfd:shared 4", "/var/log/old 2"));
  EXPECT_EQ(cache.named().pages, 15u);
  EXPECT_EQ(cache.unnamed().pages, 100u - 15u);
  EXPECT_EQ(cache.total().pages, 100u);
  EXPECT_EQ(cache.deleted().pages, 2u);
  EXPECT_EQ(cache.rows()[0].processes, 1u);
}

TEST(PageCache, KnowsTheRestOfTheCacheByFrames) {
  const PageCache cache = counted("ram=all, ram_by=proc, files=open,",
                                  "R: 00000000, 40, file, 0, 0, 00000068, 2, 00000000\n"
                                  "R: 00000028, 10, shmem, 0, 0, 00004068, 0, 00000000\n"
                                  "R: 00000032, 10, anon, 0, 0, 00005068, 1, 00000000\n");
  EXPECT_EQ(cache.unnamed().pages, 50u - 15u);
  EXPECT_EQ(cache.total().pages, 50u);
}

/// A file can have got pages after the totals were read.
TEST(PageCache, HasNoRestIfFilesHaveMoreThanTheTotal) {
  const PageCache cache = counted("ram=all, ram_by=proc, files=open,",
                                  "R: 00000000, 14, file, 0, 0, 00000068, 2, 00000000\n");
  EXPECT_EQ(cache.unnamed().pages, 0u);
  EXPECT_EQ(cache.total().pages, 15u);
}

TEST(PageCache, OfNamedFilesHasNoRest) {
  const PageCache cache = counted("files=named,");
  EXPECT_EQ(cache.total().pages, 15u);
  EXPECT_EQ(cache.unnamed().pages, 0u);
  EXPECT_EQ(cache.asked().files, 7u);
  EXPECT_EQ(cache.asked().pages, 40u);
  EXPECT_EQ(cache.asked().denied, 2u);
  EXPECT_EQ(cache.asked().skipped, 1u);
}

TEST(PageCache, DoesNotKnowWhoMapsCountedPagesNorAllDirtyOnes) {
  const CacheCounts sum = counted("files=named,").named();
  EXPECT_EQ(sum.without_use, 15u);
  EXPECT_EQ(sum.without_states, 2u);
  EXPECT_EQ(sum.dirty, 2u);
  EXPECT_EQ(sum.writeback, 1u);
}

TEST(PageCache, CountsSelectedFilesOnly) {
  EXPECT_THAT(names(folded(kCache, PageCache({*NamePattern::parse("*/lib*.so")}))),
              ElementsAre("/usr/lib/x86/liba.so 5", "/usr/lib/x86/libb.so 1"));
  const PageCache cache =
      counted("ram=totals, ram_by=proc, files=open,", {}, PageCache({*NamePattern::parse("*cat")}));
  EXPECT_THAT(names(cache), ElementsAre("/usr/bin/cat 9"));
  EXPECT_EQ(cache.total().pages, 9u);
}

TEST(FolderTree, JoinsFoldersWithOneEntryAndSortsBySize) {
  EXPECT_THAT(folders(folded(kCache, PageCache())),
              ElementsAre("/ 8", "  usr/lib/x86/ 6", "  run/user/ 1", "  var/log/ 1",
                          "[block devices] 5", "[memfd] 4", "[System V] 2", "[xfs 8:1]/ 1"));
}

TEST(FolderTree, LeavesOutSmallFolders) {
  EXPECT_THAT(folders(folded(kCache, PageCache()), 5),
              ElementsAre("/ 8", "  usr/lib/x86/ 6", "[block devices] 5"));
}

// '-' and '.' are before '/' in the order of bytes.
TEST(FolderTree, KeepsFoldersOfSimilarNamesApart) {
  const PageCache cache = folded(
      "O: 1, mount, FE:01, /\n"
      "O: 2, file, ext4, FE:01, 10, 4096, 1, -, /a/x\n"
      "O: 3, file, ext4, FE:01, 11, 4096, 1, -, /a-b/x\n"
      "O: 4, file, ext4, FE:01, 12, 4096, 1, -, /a\n"
      "O: 5, file, ext4, FE:01, 13, 4096, 1, -, [deleted]\n"
      "R: 00000000, 1, file, 2, 0, 00000068, 1, 00000000\n"
      "R: 00000001, 2, file, 3, 0, 00000068, 1, 00000000\n"
      "R: 00000003, 4, file, 4, 0, 00000068, 1, 00000000\n"
      "R: 00000007, 8, file, 5, 0, 00000068, 1, 00000000\n",
      PageCache());
  EXPECT_THAT(folders(cache), ElementsAre("[ext4 254:1] 8", "/ 7", "  a-b/ 2", "  a/ 1"));
}

TEST(FileMap, ShowsPagesOfAFileByTheEndOfItsPath) {
  const FileMap map = folded(kCache, FileMap("x86/liba.so"));
  std::vector<std::string> lines;
  map.for_each([](const FileMap::File&) {},
               [&](const FileMap::File& file, const MapLine& line) {
                 EXPECT_EQ(file.path, "/usr/lib/x86/liba.so");
                 EXPECT_EQ(file.pages, 10u);
                 lines.push_back(line.cells);
               });
  EXPECT_THAT(lines, ElementsAre("22...000.." + std::string(54, ' ')));
}

/// It is not known which of their pages are cached.
TEST(FileMap, HasNoCountedFiles) {
  FileMap map("/usr/bin/cat");
  fold(with(kSample, "E: 2", std::string(kCounted) + "E: 2"), {&map});
  EXPECT_FALSE(map.has_names());
  EXPECT_EQ(map.files(), 0u);
}

TEST(FileMap, TakesNoPartOfAName) {
  EXPECT_EQ(folded(kCache, FileMap("iba.so")).files(), 0u);
  EXPECT_EQ(folded(kCache, FileMap("/liba.so")).files(), 1u);
}

TEST(FileMap, ShowsPagesBeyondTheSizeOfTheFile) {
  const FileMap map =
      folded(with(kCache, "FE:01, 10, 40960", "FE:01, 10, 4096"), FileMap("liba.so"));
  map.for_each([](const FileMap::File& file) { EXPECT_EQ(file.pages, 8u); },
               [](const FileMap::File&, const MapLine&) {});
}

}  // namespace
}  // namespace physmem
