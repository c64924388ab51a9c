// SPDX-License-Identifier: MIT
// A dump of a crashed machine may contain any data. A snapshot of it must end soon, must not be
// much longer than the undamaged machine's, and the reader must accept it. If there is no
// snapshot, there must be an error.
//
// The test tries different faults each day and prints the seed. PHYSMEM_SEED=N repeats the faults.
// PHYSMEM_CORRUPTIONS=N sets the number of variants per kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "analyzer/parse/snapshot_reader.h"
#include "tests/unit/kernel-image/fake_stacks.h"

namespace physmem::crash {
namespace {

constexpr std::uint64_t kMaxTimesReads = 50;
constexpr std::size_t kMaxTimesText = 20;
constexpr std::uint64_t kMaxCpus = 8192;  // MAX_CPUS in ram_zones.c
constexpr std::size_t kMaple = 40;        ///< number of areas: one inner node with three leaves

std::uint64_t setting(const char* name, std::uint64_t default_value) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::strtoull(value, nullptr, 10) : default_value;
}

/// The number of days since 1970, unless PHYSMEM_SEED is set.
std::uint64_t seed_of_today() {
  static const std::uint64_t seed =
      setting("PHYSMEM_SEED", static_cast<std::uint64_t>(std::time(nullptr)) / (24 * 60 * 60));
  return seed;
}

/// The number of variants per kernel.
std::size_t variants() {
  return setting("PHYSMEM_CORRUPTIONS", 100);
}

void add_areas(FakeKernel& kernel, const FakeProcess& process, std::uint64_t base) {
  const std::uint64_t files[] = {kernel.file("/usr/bin/" + std::string(200, 'n')),
                                 kernel.file("/usr/lib/libc.so.6"),
                                 kernel.file("/mnt/data/mapped"),
                                 kernel.nameless_file("memfd:x", "simple_dname"),
                                 0,
                                 0};
  for (std::uint64_t i = 0; i < kMaple; ++i) {
    const std::uint64_t start = base + i * 0x40000000 / 8;
    kernel.add_area(process.mm, {.start = start,
                                 .end = start + 0x8000,
                                 .flags = kRead | (i % 3) * 2 | (i & 4),
                                 .file = files[i % 6],
                                 .pgoff = i});
    for (std::uint64_t page = 0; page < 8; page += 1 + i % 3)
      kernel.map_page(process.mm, start + page * kPage,
                      0x10000 + (base >> 30) * 4096 + i * 8 + page);
    kernel.set_entry(process.mm, start + 7 * kPage, swapped(0, i));
  }
}

/// Adds three processes with threads. They use each kind of structure that the walkers follow.
void build(FakeKernel& kernel) {
  kernel.mount(kernel.walk("/mnt/data"), "/sub/folder");
  kernel.add_process({.pid = 2, .comm = "kthreadd", .flags = 0x200000, .uid = 0, .has_mm = false});
  for (std::uint64_t pid = 100; pid < 103; ++pid) {
    const FakeProcess process =
        kernel.add_process({.pid = pid, .comm = fmt::format("proc {}", pid)});
    for (std::uint64_t tid = pid * 10; tid < pid * 10 + 4; ++tid)
      kernel.add_thread(process, {.pid = tid});
    kernel.put_in_cgroup(process.task, kernel.cgroup("/user.slice/session.scope"),
                         pid == 101 ? kernel.cgroup("/memory/group", false) : 0);
    kernel.put(process.mm, "mm_struct.exe_file", kernel.file("/usr/lib/libc.so.6"));
    kernel.put(process.mm, "mm_struct.start_brk", 0x10000000);
    kernel.put(process.mm, "mm_struct.brk", 0x10008000);
    add_areas(kernel, process, (pid - 99) << 30);
    kernel.add_area(process.mm, {.start = 0x7F0000000000, .end = 0x7F0000200000});
    kernel.set_entry(process.mm, 0x7F0000000000, huge(0x40000 + 512 * pid), 1);
    kernel.make_compound(0x40000 + 512 * pid, 512, {.mapcount = 0}, 1);
  }
}

/// Adds 32 frames of RAM with areas, stacks, modules and records of the page allocator.
void build_ram(FakeKernel& kernel) {
  FakeRam ram(kernel);
  kernel.with_ram = true;
  kernel.has_mapped_addresses = true;
  const std::uint64_t span = ram.resource(0x100000, 0x11FFFF, "System RAM");
  ram.resource(0x110000, 0x110FFF, "Kernel code", span);
  ram.add_zone();
  ram.array("vm_zone_stat", {17, 1, 2});
  ram.array("vm_node_stat", {100, 101, 102, 103, 104, 16, 50});
  ram.add({.pages = 4, .first_pfn = 0x104});
  ram.add({.start = kMapped + 0x10000, .pages = 4, .first_pfn = 0x108});
  ram.add_task(200, kMapped + 0x10000);
  ram.add_module(kMapped);
  ram.add_sections();
  FakeStacks stacks(kernel, ram);
  for (const std::uint64_t pfn : {0x110, 0x112, 0x118})
    stacks.allocate(pfn, 1, stacks.record({"post_alloc_hook", fmt::format("driver_{}", pfn)}));
}

struct Outcome {
  int error = 0;
  std::size_t bytes = 0;
  std::uint64_t reads = 0;
  std::uint64_t page_blocks = 0;  ///< blocks of struct pages among them, each once
  bool has_notes = false;
  std::string text;
  std::string reader_error;  ///< empty if the reader accepts the snapshot
};

std::string reader_error_of(std::string_view text) {
  const auto source = text_source(text);
  SnapshotReader reader(*source, "s", {});
  Events ignored;
  const auto found = reader.next(ignored);
  if (!found) return found.error().text;
  return *found ? "" : "no snapshot";
}

Outcome outcome_of(FakeKernel& kernel, std::size_t max_text) {
  kernel.memory.reset_reads();
  Snapshot snapshot = snapshot_of(kernel, {}, false, max_text);
  Outcome outcome;
  outcome.error = snapshot.error;
  outcome.reads = kernel.memory.reads();
  outcome.page_blocks = kernel.memory.page_blocks();
  outcome.text = snapshot.header + snapshot.text;
  outcome.bytes = outcome.text.size();
  outcome.has_notes = outcome.text.find("\nG: note.") != std::string::npos;
  if (snapshot.error == 0) outcome.reader_error = reader_error_of(outcome.text);
  return outcome;
}

/// Makes faults in the memory of a kernel and undoes them.
class Faults {
 public:
  /// Faults are limited to pieces whose name starts with `only`.
  Faults(FakeKernel& kernel, std::uint64_t seed, std::string_view only = "")
      : kernel_(kernel), random_(static_cast<std::uint32_t>(seed)) {
    for (const FakeMemory::Piece& piece : kernel.memory.pieces())
      if (piece.what.starts_with(only)) kinds_[piece.what].push_back(piece);
    if (only.empty()) kinds_["page"] = {{"page", kernel.page(0x10000), 64 * 0x4000}};
    for (const auto& [kind, pieces] : kinds_) names_.push_back(kind);
    // Structures that are followed are damaged more often than those that are only read.
    for (const char* kind :
         {"page table 0", "page table 1",   "page table 2",  "page table 3", "maple node",
          "mm_struct",    "vm_area_struct", "vmap_area",     "vm_struct",    "resource",
          "module",       "pglist_data",    "mem_section",   "page_ext",     "stack pool",
          "stack_pools",  "task_struct",    "signal_struct", "dentry",       "mount",
          "page"})
      if (kinds_.count(kind) != 0) names_.insert(names_.end(), 4, kind);
  }
  ~Faults() { undo(); }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  /// Makes faults and returns their description.
  std::string make() {
    std::string description;
    const std::uint64_t n = 1 + random_() % 16;
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto& pieces = kinds_.at(names_[random_() % names_.size()]);
      const FakeMemory::Piece& piece = pieces[random_() % pieces.size()];
      const std::uint64_t at = piece.at + random_() % piece.bytes;
      description += fmt::format("{}+{}:{} ", piece.what, at - piece.at, make_one(at));
    }
    return description;
  }

  void undo() {
    for (; !before_.empty(); before_.pop_back())
      kernel_.memory.put(before_.back().first, 1, before_.back().second);
    kernel_.memory.restore_lost();
  }

 private:
  const char* make_one(std::uint64_t at) {
    switch (random_() % 8) {
      case 0:
        kernel_.memory.lose(at);
        return "lost";
      case 1:
        set(at, random_());
        return "random";
      case 2:
        set(at, 0);
        return "zero";
      case 3:
        set(at, 0xFF);
        return "ones";
      case 4:
        copy_word(at & ~std::uint64_t{7});
        return "copied";
      default:
        set(at, kernel_.memory.get(at, 1) ^ 1u << random_() % 8);
        return "flipped";
    }
  }

  void set(std::uint64_t at, std::uint64_t byte) {
    before_.emplace_back(at, kernel_.memory.get(at, 1));
    kernel_.memory.put(at, 1, byte);
  }

  /// Copies a word of one structure to another. If it is a pointer, lists or trees become linked.
  void copy_word(std::uint64_t to) {
    const auto& pieces = kinds_.at(names_[random_() % names_.size()]);
    const FakeMemory::Piece& piece = pieces[random_() % pieces.size()];
    const std::uint64_t word =
        kernel_.memory.get((piece.at + random_() % piece.bytes) & ~std::uint64_t{7}, 8);
    for (std::uint64_t i = 0; i < 8; ++i) set(to + i, word >> 8 * i & 0xFF);
  }

  FakeKernel& kernel_;
  std::mt19937 random_;
  std::map<std::string, std::vector<FakeMemory::Piece>> kinds_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> before_;
};

bool is_documented(int error) {
  static const std::set<int> kErrors{0, -ENODATA, -ESRCH, -ENOMEM,
                                     -EINVAL};  // EINVAL: the dump could not be opened
  return kErrors.count(error) != 0;
}

struct Sums {
  std::map<int, std::size_t> errors;
  std::size_t same = 0, noted = 0, silent = 0;
  std::uint64_t max_reads = 0, max_bytes = 0;
};

void count(Sums& sums, const Outcome& outcome, const Outcome& whole) {
  if (outcome.error != 0)
    ++sums.errors[outcome.error];
  else
    ++(outcome.text == whole.text ? sums.same : outcome.has_notes ? sums.noted : sums.silent);
  sums.max_reads = std::max(sums.max_reads, outcome.reads);
  sums.max_bytes = std::max<std::uint64_t>(sums.max_bytes, outcome.bytes);
}

void print(const Sums& sums, const Outcome& whole, std::size_t n) {
  fmt::print(
      "{} variants of a snapshot of {} bytes, {} reads: {} identical, {} with notes, {} otherwise "
      "different",
      n, whole.bytes, whole.reads, sums.same, sums.noted, sums.silent);
  for (const auto& [error, times] : sums.errors)
    fmt::print(", {} {}", times, std::strerror(-error));
  fmt::print("; at most {} bytes, {} reads\n", sums.max_bytes, sums.max_reads);
}

enum class When { kBefore, kMeanwhile };

/// The outcome with faults before the snapshot is taken, or in each of some 30 parts of its reads.
Outcome outcome_with(Faults& faults, FakeKernel& kernel, When when, const Outcome& whole,
                     std::string& description) {
  description += faults.make();
  std::uint64_t countdown = when == When::kBefore ? 0 : whole.reads / 30 + 1;
  kernel.memory.before_read = [&faults, &description, countdown, every = countdown]() mutable {
    if (countdown == 0 || --countdown != 0) return;
    countdown = every;
    description += "then " + faults.make();
  };
  const Outcome outcome = outcome_of(kernel, kMaxTimesText * whole.bytes);
  kernel.memory.before_read = [] {};
  faults.undo();
  return outcome;
}

/// Tries n variants, one after the other.
void expect_good(FakeKernel& kernel, Faults& faults, std::size_t n, When when = When::kBefore) {
  const std::string settings =
      fmt::format("PHYSMEM_SEED={} PHYSMEM_CORRUPTIONS={}", seed_of_today(), variants());
  SCOPED_TRACE(settings);
  fmt::print("{}: ", settings);
  std::fflush(stdout);  // so that the settings are printed even after a crash
  const Outcome whole = outcome_of(kernel, 1 << 24);
  ASSERT_EQ(whole.error, 0);
  ASSERT_EQ(whole.reader_error, "");
  ASSERT_FALSE(whole.has_notes) << whole.text;
  Sums sums;
  for (std::size_t i = 0; i < n; ++i) {
    std::string description = fmt::format("variant {}: ", i);
    const Outcome outcome = outcome_with(faults, kernel, when, whole, description);
    EXPECT_TRUE(is_documented(outcome.error))
        << std::strerror(-outcome.error) << ", " << description;
    EXPECT_EQ(outcome.reader_error, "") << description;
    // A damaged map of RAM, with damaged sections, may have any number of frames. The struct pages
    // of all of them are read, but not more than twice. A damaged number of CPUs is at most
    // kMaxCpus, each of which has a block with its counters.
    const std::uint64_t per_block = kernel.reads_lists ? PM_BLOCK / PM_SMALL_BLOCK : 1;
    const std::uint64_t of_ram =
        kernel.with_ram ? 2 * per_block * outcome.page_blocks + kMaxCpus : 0;
    EXPECT_LE(outcome.reads, kMaxTimesReads * whole.reads + of_ram) << description;
    count(sums, outcome, whole);
  }
  print(sums, whole, n);
  EXPECT_EQ(outcome_of(kernel, 1 << 24).text, whole.text) << "a fault was not undone";
}

/// Whether it is read by lists, like a running kernel.
class Corruption : public testing::TestWithParam<std::tuple<Era, bool>> {
 protected:
  Era era() const { return std::get<Era>(GetParam()); }
  bool reads_lists() const { return std::get<bool>(GetParam()); }
};

TEST_P(Corruption, YieldsErrorOrValidSnapshotForAnyBytes) {
  FakeKernel kernel(era(), era() == Era::k6_12 ? 5 : 4);
  kernel.reads_lists = reads_lists();
  build(kernel);
  kernel.finish();
  Faults faults(kernel, seed_of_today());
  expect_good(kernel, faults, variants());
}

INSTANTIATE_TEST_SUITE_P(Eras, Corruption,
                         testing::Combine(testing::Values(Era::k5_10, Era::k6_1, Era::k6_12),
                                          testing::Bool()));

TEST_P(Corruption, YieldsErrorOrValidSnapshotOfAllRam) {
  FakeKernel kernel(era());
  kernel.reads_lists = reads_lists();
  build_ram(kernel);
  kernel.finish();
  Faults faults(kernel, seed_of_today());
  expect_good(kernel, faults, variants());
}

TEST_P(Corruption, YieldsErrorOrValidSnapshotWhileMemoryChanges) {
  FakeKernel kernel(era());
  kernel.reads_lists = reads_lists();
  build(kernel);
  build_ram(kernel);
  kernel.finish();
  Faults faults(kernel, seed_of_today());
  expect_good(kernel, faults, variants(), When::kMeanwhile);
}

/// The first area is nearly empty, so one bit may add a million pages. The second area has several
/// stretches and is walked twice.
TEST(CorruptTables, DoNotInflateSnapshotOfLargeAreas) {
  FakeKernel kernel;
  const FakeProcess process = kernel.add_process({.pid = 7});
  kernel.add_area(process.mm, {.start = 0, .end = std::uint64_t{1} << 40});
  kernel.add_area(process.mm,
                  {.start = std::uint64_t{1} << 40, .end = (std::uint64_t{1} << 40) + (64 << 20)});
  for (std::uint64_t i = 0; i < 40; ++i) kernel.map_page(process.mm, i << 31, 0x30000 + i);
  for (std::uint64_t i = 0; i < PM_STEP + 1000; ++i)
    kernel.set_entry(process.mm, (std::uint64_t{1} << 40) + i * kPage,
                     i % 16 == 0 ? swapped(1, i) : present(0x40000 + i));
  kernel.finish();
  Faults faults(kernel, seed_of_today(), "page table");
  expect_good(kernel, faults, variants());
}

}  // namespace
}  // namespace physmem::crash
