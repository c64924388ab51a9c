// SPDX-License-Identifier: MIT
// Several jobs collect processes in parallel. The snapshot must equal a single job's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <random>
#include <sstream>

#include "formats/emit/flags.h"
#include "tests/unit/collector/fixture_tree.h"

namespace physmem::collect {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kFrames = 5000;

/// Processes of random size that share frames. Some have ended, and some have threads, swapped
/// pages or device memory.
class Jobs : public testing::Test {
 protected:
  Jobs() {
    for (std::uint64_t pfn = 1; pfn < kFrames; ++pfn)
      fixture_.frame(pfn, random_() % 4,
                     random_() % 2 == 0 ? PM_PAGE_ANON : PM_PAGE_MMAP | PM_PAGE_UPTODATE);
    for (std::uint64_t pid = 1; pid <= 30; ++pid) add_process(pid);
    fixture_.file("12/task/12/maps", "");
    fixture_.remove("17/task/17/status");
    fixture_.file("23/stat", "");
  }

  void add_process(std::uint64_t pid) {
    // The tenth process is by far the largest: its text is longer than any buffer.
    const std::uint64_t pages = pid == 10 ? 30'000 : random_() % 600;
    const std::uint64_t end = 0x100000 + (pages + 1) * kPageSize;
    std::ostringstream maps;
    maps << std::hex << 0x100000 << "-" << end << " rw-p 00000000 00:00 0 [heap]\n"
         << 0x7f0000000000 << "-" << 0x7f0000004000 << " r-xp 00000000 08:01 77 /lib/libc.so\n";
    const std::uint64_t threads = random_() % 3 + 1;
    fixture_.process(
        {.tid = pid, .comm = "p" + std::to_string(pid), .flags = 0x40, .threads = threads},
        maps.str());
    for (std::uint64_t t = 1; t < threads; ++t)
      fixture_.thread(pid, {.tid = pid * 100 + t, .threads = threads}, maps.str());
    for (std::uint64_t i = 0; i < pages; ++i)
      fixture_.page(pid, 0x100000 + i * kPageSize, random_entry());
  }
  std::uint64_t random_entry() {
    const std::uint64_t kind = random_() % 20;
    if (kind < 3) return 0;
    if (kind == 3) return swapped(0, random_() % 1000);
    if (kind == 4) return present(kFrames + 10);  // beyond the end of kpagecount and kpageflags
    return present(1 + random_() % (kFrames - 1));
  }

  static void expect_same(const Collected& one, const Collected& several) {
    EXPECT_EQ(one.text, several.text);
    EXPECT_EQ(one.error, several.error);
    EXPECT_EQ(one.status, several.status);
    EXPECT_EQ(one.losses.task_exited, several.losses.task_exited);
    EXPECT_EQ(one.losses.frame_unreadable, several.losses.frame_unreadable);
    EXPECT_EQ(one.losses.sharing_unknown, several.losses.sharing_unknown);
  }

  std::mt19937_64 random_{20261122};
  FixtureTree fixture_;
};

TEST_F(Jobs, WritesSameSnapshotAsSingleJob) {
  const Collected one = snapshot_of(fixture_);
  ASSERT_THAT(one.text, HasSubstr("\nT: p30"));
  ASSERT_GT(one.text.size(), 1'000'000u);
  EXPECT_GT(one.losses.frame_unreadable, 0u);
  EXPECT_EQ(one.losses.task_exited, 3u);
  for (const std::size_t jobs : {2u, 5u, 100u}) expect_same(one, snapshot_of(fixture_, {}, jobs));
}

TEST_F(Jobs, WritesSameAsSingleJobForEachScope) {
  for (const Scope& scope : {Scope{.pids = {3, 10, 11, 9}}, Scope{.pids = {7}},
                             Scope{.with_pages = false}, Scope{.with_areas = false}}) {
    const Collected one = snapshot_of(fixture_, scope);
    for (const std::size_t jobs : {2u, 5u}) expect_same(one, snapshot_of(fixture_, scope, jobs));
  }
}

TEST_F(Jobs, StopsAtSameErrorAsSingleJob) {
  fixture_.file("15/task/15/maps", "no such line\n");
  const Collected one = snapshot_of(fixture_);
  EXPECT_THAT(one.error, HasSubstr("15/task/15/maps is malformed"));
  for (const std::size_t jobs : {2u, 5u}) {
    const Collected several = snapshot_of(fixture_, {}, jobs);
    EXPECT_EQ(one.error, several.error);
    EXPECT_EQ(one.status, several.status);
    EXPECT_THAT(several.text, Not(HasSubstr("\nT: p16")));
  }
}

/// Accepts `room` bytes and then returns ENOSPC.
class FullOutput final : public Output {
 public:
  explicit FullOutput(std::size_t room) : room_(room) {}
  int write(std::string_view text) override {
    if (text.size() > room_) return ENOSPC;
    room_ -= text.size();
    return 0;
  }
  int mark_whole() override { return 0; }
  bool keep_whole() override { return true; }
  int finish() override { return 0; }
  std::string name() const override { return "full"; }

 private:
  std::size_t room_;
};

TEST_F(Jobs, ReportsFullOutput) {
  const Machine machine{"x86_64", "6.1.0", kPageSize, 100, 1000, 2000};
  const Result<ProcTree> tree = ProcTree::open(fixture_.root());
  for (const std::size_t room : {0u, 300'000u, 900'000u}) {
    FullOutput output(room);
    Progress progress(false);
    const Result<Losses> losses = Collector(*tree, {}, 3).snapshot(machine, output, progress);
    ASSERT_FALSE(losses);
    EXPECT_THAT(losses.error().text, HasSubstr("cannot write full"));
  }
}

}  // namespace
}  // namespace physmem::collect
