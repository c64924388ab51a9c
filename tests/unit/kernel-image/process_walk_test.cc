// SPDX-License-Identifier: MIT
// Processes of a kernel that changes while it is read.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <functional>
#include <regex>

#include "tests/unit/kernel-image/fake_kernel.h"

namespace physmem::crash {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kLowArea = 0x55D0C1A00000, kHighArea = 0x7FFD3E000000;

/// A process with two areas of two pages, each with one resident and one swapped page.
FakeProcess add_subject(FakeKernel& kernel) {
  const FakeProcess subject = kernel.add_process({.pid = 371, .comm = "subject"});
  for (const std::uint64_t start : {kLowArea, kHighArea}) {
    kernel.add_area(subject.mm, {.start = start, .end = start + 2 * kPage});
    kernel.map_page(subject.mm, start, start >> 12 & 0xFFFF);
    kernel.set_entry(subject.mm, start + kPage, swapped(1, 0x2A4));
  }
  return subject;
}

struct Walked {
  int error = 0;
  std::string text;
  pm_end end{};
  pm_notes notes{};
  std::uint64_t unread = 0;
  int looks = 0;  ///< how often the walk asked whether to stop
};

/// The walk asks it whether to stop: the pages of an area are read, and it is not yet known whether
/// they are true.
struct Looks {
  int& n;
  const std::function<void(int)>& change;
  std::uint64_t unread = 0;  ///< the last process whose areas were not read

  static int look(void* self) {
    auto& seen = *static_cast<Looks*>(self);
    ++seen.n;
    if (seen.change) seen.change(seen.n);
    return 0;
  }
};

int append_text(void* to, const char* text, std::size_t n) {
  static_cast<std::string*>(to)->append(text, n);
  return 0;
}

/// Walks all processes as of a running kernel. `change` is called after each look, with its number
/// from 1 on; `before` after the kernel is whole.
Walked walk_of(
    FakeKernel& kernel, const std::function<void(int look)>& change = {},
    const std::function<void()>& before = [] {}) {
  const Opened image(kernel);
  before();
  Walked walked;
  std::vector<char> buffer(256);
  pm_out out{buffer.data(), buffer.size(), 0, append_text, &walked.text, 0};
  Looks looks{walked.looks, change};
  pm_process_options options{};
  options.out = &out;
  options.end = &walked.end;
  options.is_live = true;
  options.self = &looks;
  options.stopped = Looks::look;
  options.unread = [](void* self, __u64 tgid) { static_cast<Looks*>(self)->unread = tgid; };
  pm_tasks tasks{};
  pm_process_walk* walk = nullptr;
  walked.error = pm_find_tasks(image.get(), &tasks);
  if (walked.error == 0) walked.error = pm_process_walk_open(&walk, image.get(), &options);
  for (std::size_t i = 0; i < tasks.n && walked.error == 0;) {
    const pm_process process = pm_process_at(&tasks, i);
    walked.error = pm_write_process(walk, &process);
    i += process.n;
  }
  pm_out_flush(&out);
  walked.notes = image->notes;
  walked.unread = looks.unread;
  pm_process_walk_close(walk);
  pm_free_tasks(&tasks);
  return walked;
}

/// The records of the processes in a dump, with the id of the process instead of the address of its
/// address space.
std::string of_dump(FakeKernel& kernel, const FakeProcess& process) {
  const std::string text = snapshot_of(kernel).text;
  const std::string mm = fmt::format(" {:X},", process.mm);
  const std::string id = fmt::format(" {:08X},", kernel.get(process.task, "task_struct.pid"));
  return std::regex_replace(text.substr(0, text.find("E: ")), std::regex(mm), id);
}

TEST(ProcessWalk, WritesTheSameAsOfADump) {
  for (int i = 0; i < 6; ++i) {
    FakeKernel kernel(std::array{Era::k5_10, Era::k6_1, Era::k6_12}[i / 2]);
    kernel.reads_lists = i % 2 != 0;
    kernel.add_process({.pid = 52, .comm = "kswapd0", .has_mm = false});
    const FakeProcess subject = add_subject(kernel);
    kernel.add_thread(subject, {.pid = 372, .comm = "worker"});
    const Walked walked = walk_of(kernel);
    EXPECT_EQ(walked.error, 0);
    EXPECT_EQ(walked.text, of_dump(kernel, subject));
    EXPECT_THAT(walked.text, HasSubstr("\nS: 7FFD3E001000=1:000002A4 |\n"));
    EXPECT_EQ(walked.end.areas, 2u);
    EXPECT_EQ(walked.end.swapped, 2u);
  }
}

/// A process with an area of three stretches; every second page is in swap.
constexpr std::uint64_t kLargePages = 2 * PM_STEP + 100;
FakeProcess add_large(FakeKernel& kernel) {
  const FakeProcess large = kernel.add_process({.pid = 7});
  for (std::uint64_t i = 0; i < kLargePages; ++i) {
    kernel.set_entry(large.mm, 2 * i * kPage, present(0x40000 + i));
    kernel.set_entry(large.mm, (2 * i + 1) * kPage, swapped(1, i));
  }
  kernel.add_area(large.mm, {.start = 0, .end = 2 * kLargePages * kPage});
  return large;
}

std::string counts_of_large(std::uint64_t pages, std::uint64_t slots) {
  return fmt::format("P: {}, 0, 0, 0, 0, {}\n", pages, slots);
}

/// The lines of P:, without which texts are the same.
std::string without_counts(const std::string& text) {
  return std::regex_replace(text, std::regex("\nP: [^\n]*|(\nV: [^,]*, [^,]*, [^,]*), [^,]*"),
                            "$1");
}

TEST(ProcessWalk, ListsALargeAreaBeforeItIsCounted) {
  FakeKernel kernel;
  const FakeProcess large = add_large(kernel);
  const std::string expected = of_dump(kernel, large);
  const Walked walked = walk_of(kernel);
  EXPECT_EQ(without_counts(walked.text), without_counts(expected));
  EXPECT_THAT(expected, HasSubstr("\n" + counts_of_large(kLargePages, kLargePages) + "M: "));
  EXPECT_THAT(walked.text, HasSubstr("\n" + counts_of_large(PM_STEP, PM_STEP - 1) + "M: "));
  EXPECT_THAT(walked.text, EndsWith("|\n" + counts_of_large(kLargePages, kLargePages)));
  EXPECT_EQ(walked.end.pages, kLargePages);
  EXPECT_EQ(walked.end.swapped, kLargePages);
}

TEST(ProcessWalk, ReadsOnlyThePieceOfALargeAreaAgainDuringWhichItChanged) {
  FakeKernel kernel;
  const FakeProcess large = add_large(kernel);
  const std::string expected = walk_of(kernel).text;
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look % 3 != 0) return;  // every third piece
    kernel.put(large.mm, "mm_struct.mm_lock_seq", static_cast<std::uint64_t>(look));
  });
  EXPECT_EQ(walked.text, expected);
  EXPECT_EQ(walked.notes.space_changed, 0u);
}

/// What was read before stays.
TEST(ProcessWalk, MarksALargeAreaThatChangesAllTheTimeFromSomePieceOn) {
  FakeKernel kernel;
  const FakeProcess large = add_large(kernel);
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look != 2) return;  // the first piece has been read
    kernel.put(large.mm, "mm_struct.total_vm", 7);
    kernel.put(large.mm, "mm_struct.mm_mt/maple_tree.ma_root", 0x1002);
  });
  EXPECT_EQ(walked.notes.space_changed, 1u);
  EXPECT_EQ(walked.unread, 7u);
  EXPECT_THAT(walked.text, EndsWith("|\n" + counts_of_large(PM_STEP, 0)));
  EXPECT_EQ(walked.end.pages, std::uint64_t{PM_STEP});
  EXPECT_EQ(walked.end.areas, 1u);
}

TEST(ProcessWalk, ListsWhatIsLeftOfALargeArea) {
  FakeKernel kernel;
  const FakeProcess large = add_large(kernel);
  kernel.add_area(large.mm, {.start = kHighArea, .end = kHighArea + kPage});
  constexpr std::uint64_t kLeft = 2 * PM_STEP;  // of its pages
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look != 2) return;  // the first piece has been read
    kernel.put(kernel.area(large.mm, 0), "vm_area_struct.vm_end", kLeft * kPage);
    kernel.put(large.mm, "mm_struct.total_vm", 7);
  });
  EXPECT_THAT(walked.text,
              HasSubstr("|\n" + counts_of_large(kLeft / 2, kLeft / 2) + "V: 7FFD3E000000,"));
  EXPECT_EQ(walked.end.pages, kLeft / 2);
  EXPECT_EQ(walked.end.areas, 2u);
  EXPECT_EQ(walked.notes.space_changed, 0u);
}

/// A member of mm_struct that changes if the space does.
class ProcessWalkOfChange : public testing::TestWithParam<const char*> {};

TEST_P(ProcessWalkOfChange, ReadsAgainWhatWasReadDuringIt) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const std::string expected = walk_of(kernel).text;
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look != 1) return;
    // A page that is only there for a moment, and a change that shows it.
    kernel.set_entry(subject.mm, kLowArea, 0);
    kernel.put(subject.mm, GetParam(), kernel.get(subject.mm, GetParam()) + 1);
  });
  EXPECT_THAT(walked.text, Not(HasSubstr("55D0C1A00000=")));
  EXPECT_THAT(expected, HasSubstr("55D0C1A00000="));
  EXPECT_THAT(walked.text, HasSubstr("7FFD3E000000="));
  EXPECT_EQ(walked.end.areas, 2u);
  EXPECT_EQ(walked.notes.space_changed, 0u);
}

INSTANTIATE_TEST_SUITE_P(Members, ProcessWalkOfChange,
                         testing::Values("mm_struct.total_vm", "mm_struct.mm_lock_seq",
                                         "mm_struct.context/mm_context_t.tlb_gen"));

TEST(ProcessWalk, WritesEachAreaOnceIfALaterOneIsReadAgain) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const std::string expected = walk_of(kernel).text;
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look == 2) kernel.put(subject.mm, "mm_struct.total_vm", 7);
  });
  EXPECT_EQ(walked.text, expected);
  EXPECT_EQ(walked.looks, 4);
}

/// After so much text it is checked whether it is true.
TEST(ProcessWalk, ReadsOnlyWhatFollowsTheLastCheckAgain) {
  FakeKernel kernel;
  const FakeProcess large = kernel.add_process({.pid = 7});
  constexpr std::uint64_t kPages = PM_STEP;
  for (std::uint64_t i = 0; i < kPages; ++i)
    kernel.set_entry(large.mm, i * kPage, present(0x40000 + i));
  kernel.add_area(large.mm, {.start = 0, .end = kPages * kPage});
  kernel.add_area(large.mm, {.start = kHighArea, .end = kHighArea + kPage});
  const std::string expected = walk_of(kernel).text;
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look == 2) kernel.put(large.mm, "mm_struct.total_vm", 7);
  });
  EXPECT_EQ(walked.text, expected);
  EXPECT_EQ(walked.looks, 3);
}

TEST(ProcessWalk, NotesASpaceThatChangesAllTheTime) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  kernel.add_process({.pid = 400, .comm = "next"});
  const Walked walked = walk_of(kernel, [&](int look) {
    kernel.put(subject.mm, "mm_struct.mm_lock_seq", static_cast<std::uint64_t>(look));
  });
  EXPECT_EQ(walked.error, 0);
  EXPECT_EQ(walked.notes.space_changed, 1u);
  EXPECT_EQ(walked.unread, 371u);
  EXPECT_EQ(walked.looks, static_cast<int>(2 * PM_SPACE_TRIES));
  EXPECT_THAT(walked.text, HasSubstr("T: subject , 371, "));
  EXPECT_THAT(walked.text, Not(HasSubstr("\nV: ")));
  EXPECT_THAT(walked.text, HasSubstr("T: next    , 400, "));
  EXPECT_EQ(walked.end.areas, 0u);
  EXPECT_EQ(walked.end.pages, 0u);
}

TEST(ProcessWalk, BelievesNothingWhileASpaceIsBeingChanged) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const std::string expected = walk_of(kernel).text;
  kernel.put(subject.mm, "mm_struct.mmap_lock/rw_semaphore.count", 1);
  const Walked locked = walk_of(kernel);
  EXPECT_EQ(locked.notes.space_changed, 1u);
  EXPECT_EQ(locked.end.areas, 0u);
  kernel.put(subject.mm, "mm_struct.mmap_lock/rw_semaphore.count", 0x100);  // by a reader
  EXPECT_EQ(walk_of(kernel).text, expected);
}

TEST(ProcessWalk, BelievesNoListOfAreasThatLacksOne) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const Walked walked =
      walk_of(kernel, {}, [&] { kernel.put(subject.mm, "mm_struct.map_count", 3); });
  EXPECT_EQ(walked.notes.space_changed, 1u);
  EXPECT_EQ(walked.end.areas, 0u);
}

TEST(ProcessWalk, WritesNoAreaOfASpaceThatEnds) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look == 2) kernel.put(subject.mm, "mm_struct.mm_users", 0);
  });
  EXPECT_EQ(walked.notes.task_exited, 1u);
  EXPECT_THAT(walked.text, HasSubstr("T: subject , 371, "));
  EXPECT_EQ(walked.end.areas, 0u);
  EXPECT_THAT(walked.text, Not(HasSubstr("=")));
}

TEST(ProcessWalk, WritesNoAreaOfATaskThatRunsAnotherProgram) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look == 1) kernel.put(subject.task, "task_struct.mm", kernel.add_mm());
  });
  EXPECT_EQ(walked.notes.task_exited, 1u);
  EXPECT_EQ(walked.end.areas, 0u);
}

/// The third process gets the address space of the first while the second is read.
struct Reused {
  FakeKernel kernel;
  FakeProcess first = add_subject(kernel), second = kernel.add_process({.pid = 390}),
              third = kernel.add_process({.pid = 400});
  Reused() { kernel.add_area(second.mm, {.start = 0x10000, .end = 0x10000 + kPage}); }

  Walked walk(const std::function<void()>& change) {
    return walk_of(kernel, [&](int look) {
      if (look != 3) return;  // of the second
      kernel.put(third.task, "task_struct.mm", first.mm);
      change();
    });
  }
};

TEST(ProcessWalk, ListsASpaceAtTheAddressOfOneThatHasEnded) {
  for (const char* member : {"task_struct.mm", "task_struct.tgid"}) {
    Reused reused;
    const Walked walked = reused.walk([&] { reused.kernel.put(reused.first.task, member, 0); });
    EXPECT_THAT(walked.text, HasSubstr("T: task    , 400, 00000190, ")) << walked.text;
    EXPECT_EQ(walked.end.areas, 5u) << member;
  }
}

TEST(ProcessWalk, ListsASharedSpaceOnce) {
  Reused reused;
  const Walked walked = reused.walk([] {});
  EXPECT_EQ(walked.end.areas, 3u) << walked.text;
}

TEST(ProcessWalk, WritesTheAreasOfAProgramThatBeganSinceTheTaskWasListed) {
  FakeKernel kernel;
  const FakeProcess first = kernel.add_process({.pid = 7});
  kernel.add_area(first.mm, {.start = kHighArea, .end = kHighArea + kPage});
  const FakeProcess subject = add_subject(kernel);
  const std::uint64_t next = kernel.add_mm();
  kernel.add_area(next, {.start = 0x10000, .end = 0x10000 + kPage});
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look == 1) kernel.put(subject.task, "task_struct.mm", next);
  });
  EXPECT_EQ(walked.notes.task_exited, 0u);
  EXPECT_THAT(walked.text, HasSubstr("\nV: 00010000, "));
  EXPECT_THAT(walked.text, Not(HasSubstr("\nV: 55D0C1A00000, ")));
  EXPECT_EQ(walked.end.areas, 2u);
}

TEST(ProcessWalk, ReadsAgainIfAnAreaMovesWithoutACounter) {
  FakeKernel kernel;
  kernel.types.hide("mm_struct.mm_lock_seq");
  kernel.types.hide("mm_context_t.tlb_gen");
  const FakeProcess subject = add_subject(kernel);
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look == 1)
      kernel.put(kernel.area(subject.mm, 0), "vm_area_struct.vm_end", kLowArea + kPage);
  });
  EXPECT_THAT(walked.text, HasSubstr("V: 55D0C1A00000, 55D0C1A00FFF, "));
  EXPECT_THAT(walked.text, Not(HasSubstr("55D0C1A01000=1")));
  EXPECT_EQ(walked.end.areas, 2u);
}

TEST(ProcessWalk, NotesASpaceWhoseTreeOfAreasCannotBeFollowed) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const Walked whole = walk_of(kernel);
  EXPECT_EQ(whole.notes.space_changed, 0u);
  const Walked walked = walk_of(
      kernel, {}, [&] { kernel.put(subject.mm, "mm_struct.mm_mt/maple_tree.ma_root", 0x1002); });
  EXPECT_EQ(walked.notes.space_changed, 1u);
  EXPECT_EQ(walked.end.areas, 0u);
}

/// An entry of a freed table may say anything. It does not count if it is gone when read again.
TEST(ProcessWalk, NotesNoDamageThatWasOnlyThereForAMoment) {
  FakeKernel kernel;
  const FakeProcess subject = add_subject(kernel);
  const std::uint64_t entry = kernel.get(subject.mm, "mm_struct.pgd");
  kernel.set_entry(subject.mm, kLowArea, present(0x12345, kUser | kHuge), 3);
  const Walked walked = walk_of(kernel, [&](int look) {
    if (look != 1) return;
    kernel.memory.put(entry, 8, 0);
    kernel.set_entry(subject.mm, kLowArea, 0, 3);
  });
  EXPECT_EQ(walked.notes.corrupt, 0u);
  EXPECT_EQ(walked.end.areas, 2u);
}

}  // namespace
}  // namespace physmem::crash
