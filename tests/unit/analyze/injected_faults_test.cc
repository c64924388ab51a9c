// SPDX-License-Identifier: MIT
// Faults that are injected into real snapshots: --ask verify finds each of them, and none in the
// snapshots themselves. docs/accuracy.md lists the tolerances; most are 0, because in these
// guests nothing came or went.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <tuple>

#include "analyzer/analyze/verify/verification.h"
#include "tests/unit/injected_snapshot.h"
#include "tests/unit/snapshot_text.h"

namespace physmem {
namespace {

using testing::Contains;
using testing::IsEmpty;

/// The claims that differ.
std::vector<std::string> refuted(const InjectedSnapshot& snapshot) {
  Verification verification;
  fold(snapshot.text(), {&verification});
  std::vector<std::string> claims;
  for (const RamVerdict& verdict : verification.verdicts())
    if (verdict.kind == VerdictKind::kDiffers) claims.emplace_back(verdict.claim);
  return claims;
}

struct Fault {
  std::string name;
  std::string claim;  ///< that differs
  std::function<void(InjectedSnapshot&)> inject;
};

void expect_found(const InjectedSnapshot& whole, const std::vector<Fault>& faults) {
  EXPECT_THAT(faults, testing::Not(IsEmpty()));
  for (const Fault& fault : faults) {
    InjectedSnapshot snapshot = whole;
    fault.inject(snapshot);
    EXPECT_NE(snapshot.text(), whole.text()) << fault.name;
    EXPECT_THAT(refuted(snapshot), Contains(fault.claim)) << fault.name;
  }
}

void add(const std::vector<Fault>& more, std::vector<Fault>& faults) {
  faults.insert(faults.end(), more.begin(), more.end());
}

/// physmem-collect --verify --ram=kcore.
InjectedSnapshot live() {
  return InjectedSnapshot(PHYSMEM_SAMPLES "/ram-verify.txt.zst");
}

/// The module's, at a time when nothing moved: taken as one of a dump, which is of one moment.
InjectedSnapshot still() {
  InjectedSnapshot snapshot(PHYSMEM_SAMPLES "/ram-module.txt.zst");
  snapshot.lines()[0] = with(snapshot.lines()[0], "collector=kmod", "collector=crash");
  return snapshot;
}

/// Processes with witnesses that did not run while they were read.
std::vector<std::uint64_t> sleepers(const InjectedSnapshot& snapshot) {
  std::vector<std::uint64_t> pids;
  for (std::size_t at = snapshot.find("T: "); at < snapshot.lines().size();
       at = snapshot.find("T: ", at + 1)) {
    const auto pid = std::stoull(snapshot.field(at, 1));
    const auto same = [&](const char* name) {
      const std::string front = "process." + std::to_string(pid) + ".";
      const auto before = snapshot.counter(front + "before." + name);
      return before && before == snapshot.counter(front + "after." + name);
    };
    if (same("rss_kB") && same("pss_kB") && same("faults") && same("tasks")) pids.push_back(pid);
  }
  return pids;
}

/// Each of some lines, so that a test takes seconds: every n-th.
std::vector<std::size_t> some(const std::vector<std::size_t>& all, std::size_t most) {
  std::vector<std::size_t> chosen;
  const std::size_t step = std::max<std::size_t>(1, all.size() / most);
  for (std::size_t i = 0; i < all.size(); i += step) chosen.push_back(all[i]);
  return chosen;
}

TEST(InjectedFaults, AreNotInTheSnapshots) {
  EXPECT_THAT(refuted(live()), IsEmpty());
  EXPECT_THAT(refuted(still()), IsEmpty());
}

/// The kernel's total is so many pages less, or more, in each reading.
std::vector<Fault> of_total(const std::string& total, const std::string& claim,
                            std::int64_t pages) {
  const auto shift = [total](std::int64_t by) {
    return [=](InjectedSnapshot& snapshot) {
      for (const char* when : {"before", "after", "mean", "low", "high"})
        snapshot.add(std::string("ram.") + when + "." + total, by);
    };
  };
  return {{total + ", less", claim, shift(-pages)}, {total + ", more", claim, shift(pages)}};
}

// Each with the least difference that is beyond the tolerance: the CPUs may have 32 pages of
// most totals.
TEST(InjectedFaults, AreFoundInEachTotal) {
  using Row = std::tuple<const char*, const char*, std::int64_t>;
  for (const auto& [total, claim, pages] :
       {Row{"free_in_zones", "free", 9}, Row{"free_percpu", "free, on CPU lists", 65},
        Row{"anon", "anonymous, mapped", 32 + 13}, Row{"page_tables", "page tables", 20},
        Row{"kernel_stack", "kernel stacks", 32 + 5}})
    expect_found(still(), of_total(total, claim, pages));
  for (const auto& [total, claim, pages] :
       {Row{"cached", "page cache", 33}, Row{"shmem", "shared memory", 33},
        Row{"vmalloc", "vmalloc, with stacks and modules", 33}, Row{"hugetlb", "hugetlb", 1},
        Row{"zsmalloc", "zsmalloc", 33}})
    expect_found(live(), of_total(total, claim, pages));
  for (const auto& [total, claim, pages] :
       {Row{"buffers", "page cache", 33}, Row{"poison", "poisoned", 1}})
    expect_found(live(), {of_total(total, claim, pages)[1]});
  expect_found(still(), {of_total("total", "managed frames", 3)[1]});
}

TEST(InjectedFaults, AreFoundInEachSizeOfFreeBlocks) {
  std::vector<Fault> faults;
  for (std::int64_t order = 0; order <= 10; ++order)
    add(of_total("free_order." + std::to_string(order), "free blocks by order",
                 (1 << std::max(order, 3l)) + 1),
        faults);
  expect_found(still(), faults);
}

// 60,000 pages moved to other frames while frames were read. That explains no change of memory that
// the kernel does not move, and no more pages of other classes.
TEST(InjectedFaults, AreFoundWhilePagesMove) {
  constexpr std::int64_t kMoved = 60'000;
  InjectedSnapshot whole = live();
  whole.add("ram.after.migrated", kMoved);
  EXPECT_THAT(refuted(whole), IsEmpty());
  expect_found(whole, of_total("hugetlb", "hugetlb", 1));
  expect_found(whole, {of_total("poison", "poisoned", 1)[1]});
  expect_found(whole, {of_total("total", "managed frames", 3)[1]});
  for (const auto& [total, claim] :
       {std::pair{"cached", "page cache"}, std::pair{"shmem", "shared memory"},
        std::pair{"anon", "anonymous, mapped"},
        std::pair{"vmalloc",
                  "vmalloc, with stacks and "
                  "modules"}})
    expect_found(whole, {of_total(total, claim, kMoved + 100)[1]});
}

// 64 pages for each of two CPUs, and those that came and went.
TEST(InjectedFaults, AreFoundInEachControlGroup) {
  constexpr std::int64_t kBeyond = 2 * 64 + 1;
  const InjectedSnapshot whole = live();
  std::vector<Fault> faults;
  for (std::size_t at = whole.find("O: "); at < whole.lines().size();
       at = whole.find("O: ", at + 1)) {
    if (whole.field(at, 1) != "cgroup") continue;
    const std::string front = "cgroup." + whole.field(at, 2) + ".";
    for (const std::string part : {"anon", "file", "shmem", "page_tables"}) {
      const auto stated = whole.counter(front + "before." + part);
      for (const std::int64_t pages : {-kBeyond, kBeyond})
        if (stated && (pages > 0 || *stated >= kBeyond))
          faults.push_back(
              {front + part + std::to_string(pages), "cgroups", [=](InjectedSnapshot& snapshot) {
                 snapshot.add(front + "before." + part, pages);
                 snapshot.add(front + "after." + part, pages);
               }});
    }
  }
  expect_found(whole, faults);
}

TEST(InjectedFaults, AreFoundInWhatTheKernelCountsForEachProcess) {
  const InjectedSnapshot whole = live();
  std::vector<Fault> faults;
  for (const std::uint64_t pid : sleepers(whole))
    for (const auto& [part, claim] : {std::pair{"rss_kB", "processes, resident"},
                                      std::pair{"pss_kB", "processes, proportional"}})
      for (const std::int64_t kb : {-4, 4})
        faults.push_back({std::to_string(pid) + part + std::to_string(kb), claim,
                          [kb, pid, part = part](InjectedSnapshot& snapshot) {
                            for (const std::string when : {"before.", "after."})
                              snapshot.add("process." + std::to_string(pid) + "." + when + part,
                                           kb);
                          }});
  expect_found(whole, faults);
}

/// One page too few in an area, or too many if there is an address for it.
std::vector<Fault> of_page(const InjectedSnapshot& whole, std::size_t line,
                           const std::string& claim) {
  const auto change = [line](const std::function<void(std::vector<InjectedPage>&)>& edit) {
    return [=](InjectedSnapshot& snapshot) {
      std::vector<InjectedPage> pages = snapshot.pages(line);
      edit(pages);
      snapshot.set_pages(line, pages);
    };
  };
  const std::string place = " page in line " + std::to_string(line + 1);
  std::vector<Fault> faults{
      {"missing" + place, claim, change([](auto& pages) { pages.erase(pages.begin()); })}};
  if (const std::uint64_t va = whole.free_page(line); va != 0)
    faults.push_back({"additional" + place, claim, change([va](auto& pages) {
                        pages.push_back(pages.back());
                        pages.back().va = va;
                      })});
  return faults;
}

/// A count in M: that is one too large.
Fault of_count(std::size_t line, const std::string& claim) {
  return {"count in line " + std::to_string(line + 1), claim, [=](InjectedSnapshot& snapshot) {
            std::vector<InjectedPage> pages = snapshot.pages(line);
            ++pages.front().count;
            snapshot.set_pages(line, pages);
          }};
}

TEST(InjectedFaults, AreFoundInThePagesOfEachProcess) {
  const InjectedSnapshot whole = live();
  std::vector<Fault> faults;
  for (const std::uint64_t pid : sleepers(whole))
    for (const std::size_t line : whole.page_lines(pid))
      if (!whole.is_special(line)) add(of_page(whole, line, "processes, resident"), faults);
  expect_found(whole, faults);
}

// The share of a page that one process maps becomes 2 kB less.
TEST(InjectedFaults, AreFoundInCountsOfThePagesOfEachProcess) {
  const InjectedSnapshot whole = live();
  std::vector<Fault> faults;
  for (const std::uint64_t pid : sleepers(whole))
    for (const std::size_t line : whole.page_lines(pid))
      if (whole.pages(line).front().count == 1)
        faults.push_back(of_count(line, "processes, proportional"));
  expect_found(whole, faults);
}

// Lines V:, P: and M: of one area.
TEST(InjectedFaults, AreFoundIfAnAreaOfAProcessIsMissing) {
  const InjectedSnapshot whole = live();
  std::vector<Fault> faults;
  for (const std::uint64_t pid : sleepers(whole))
    faults.push_back({std::to_string(pid), "processes, resident", [=](InjectedSnapshot& snapshot) {
                        snapshot.remove_area(snapshot.page_lines(pid).front());
                      }});
  expect_found(whole, faults);
}

/// Lines R: of memory of processes and files.
std::vector<std::size_t> user_runs(const InjectedSnapshot& snapshot) {
  std::vector<std::size_t> lines;
  for (std::size_t at = snapshot.find("R: "); at < snapshot.lines().size();
       at = snapshot.find("R: ", at + 1))
    for (const char* const use : {"anon", "file", "shmem"})
      if (snapshot.field(at, 2) == use) lines.push_back(at);
  return lines;
}

TEST(InjectedFaults, AreFoundInCountsOfFrames) {
  const InjectedSnapshot whole = still();
  std::vector<Fault> faults;
  for (const std::size_t line : some(user_runs(whole), 60))
    for (const int by : {-1, 1}) {
      const int count = std::stoi(whole.field(line, 6)) + by;
      if (count < 0) continue;
      faults.push_back({"R: in line " + std::to_string(line + 1), "mappings in page tables",
                        [=](InjectedSnapshot& snapshot) {
                          snapshot.set_field(line, 6, std::to_string(count));
                        }});
    }
  expect_found(whole, faults);
}

TEST(InjectedFaults, AreFoundInEachEntryOfPageTables) {
  const InjectedSnapshot whole = still();
  std::vector<std::size_t> lines;
  for (std::size_t at = whole.find("M: "); at < whole.lines().size();
       at = whole.find("M: ", at + 1))
    if (!whole.is_special(at) && !whole.is_of_kernel(at) && whole.pages(at).front().count != 0)
      lines.push_back(at);
  std::vector<Fault> faults;
  for (const std::size_t line : some(lines, 40)) {
    add(of_page(whole, line, "mappings in page tables"), faults);
    faults.push_back(of_count(line, "mappings in page tables"));
  }
  expect_found(whole, faults);
}

TEST(InjectedFaults, AreFoundIfFramesAreMissing) {
  for (const InjectedSnapshot& whole : {live(), still()}) {
    std::vector<std::size_t> lines;
    for (std::size_t at = whole.find("R: "); at < whole.lines().size();
         at = whole.find("R: ", at + 1))
      if (whole.field(at, 2) != "hole") lines.push_back(at);  // frame 0 is in no zone
    std::vector<Fault> faults;
    for (const std::size_t line : some(lines, 30)) {
      faults.push_back({"line " + std::to_string(line + 1), "frames with one class",
                        [=](InjectedSnapshot& snapshot) { snapshot.remove_run(line); }});
      if (whole.field(line, 1) != "1")
        faults.push_back({"one frame of line " + std::to_string(line + 1), "frames with one class",
                          [=](InjectedSnapshot& snapshot) { snapshot.shorten_run(line); }});
    }
    expect_found(whole, faults);
  }
}

// A run of pages of files or of shared memory is said to be another class.
TEST(InjectedFaults, AreFoundInTheClassOfPages) {
  const InjectedSnapshot whole = live();
  const auto change = [&](const char* from, const char* to, const char* claim, int min_pages) {
    std::vector<Fault> faults;
    for (const std::size_t line : user_runs(whole))
      if (std::stoi(whole.field(line, 1)) >= min_pages && whole.field(line, 2) == from &&
          faults.size() < 5)
        faults.push_back({"line " + std::to_string(line + 1), claim,
                          [=](InjectedSnapshot& snapshot) { snapshot.set_field(line, 2, to); }});
    expect_found(whole, faults);
  };
  change("shmem", "file", "shared memory", 33);
  change("shmem", "hugetlb", "hugetlb", 1);
  change("file", "anon", "page cache", 33);
  change("file", "poison", "poisoned", 1);
}

/// All frames of a class get the class reserved.
Fault reserved(const std::string& use, const std::string& claim) {
  return {use, claim, [use](InjectedSnapshot& snapshot) {
            for (std::size_t at = snapshot.find("R: "); at < snapshot.lines().size();
                 at = snapshot.find("R: ", at + 1))
              if (snapshot.field(at, 2) == use) snapshot.set_field(at, 2, "reserved");
          }};
}

// Such frames are not managed.
TEST(InjectedFaults, AreFoundIfFramesGetTheClassReserved) {
  for (const InjectedSnapshot& whole : {live(), still()})
    for (const char* const use : {"vmalloc", "pgtable", "anon", "file", "shmem", "slab",
                                  "kernel_stack", "module", "unmarked", "free"})
      expect_found(whole, {reserved(use, "managed frames")});
  expect_found(live(), {reserved("vmalloc", "vmalloc, with stacks and modules"),
                        reserved("percpu", "managed frames")});
  expect_found(still(), {reserved("pgtable", "page tables")});
}

// No process that ran in the meantime explains these.
TEST(InjectedFaults, AreFoundInALiveSnapshotIfTheyAreImpossible) {
  const InjectedSnapshot whole = live();
  const std::size_t run = user_runs(whole).front();
  const std::size_t line = whole.page_lines(sleepers(whole).front()).front();
  const std::uint64_t beyond = std::uint64_t{1} << 50;
  expect_found(whole,
               {{"2^40 mappings of a frame", "mappings in page tables",
                 [=](InjectedSnapshot& snapshot) { snapshot.set_field(run, 6, "1099511627776"); }},
                {"a million mappings of a frame", "mappings in page tables",
                 [=](InjectedSnapshot& snapshot) { snapshot.set_field(run, 6, "1000000"); }},
                {"2^40 mappings of a page", "mappings in page tables",
                 [=](InjectedSnapshot& snapshot) {
                   std::vector<InjectedPage> pages = snapshot.pages(line);
                   pages.front().count = std::uint64_t{1} << 40;
                   snapshot.set_pages(line, pages);
                 }},
                {"an entry beyond the end of RAM", "mappings in page tables",
                 [=](InjectedSnapshot& snapshot) {
                   std::vector<InjectedPage> pages = snapshot.pages(line);
                   pages.front().value |= beyond;
                   snapshot.set_pages(line, pages);
                 }}});
}

}  // namespace
}  // namespace physmem
