// SPDX-License-Identifier: MIT
#include "tests/property/random_snapshot.h"

#include <array>
#include <cstdlib>
#include <map>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

struct Kind {
  const char* unit;
  std::uint64_t inode;
  std::uint64_t flags;
};

constexpr std::uint64_t kR = PM_VMA_READ;
constexpr std::uint64_t kW = PM_VMA_WRITE;
constexpr std::uint64_t kX = PM_VMA_EXEC;

/// Every rule of analyzer/model/region.h applies to at least one of these.
constexpr std::array kKinds{Kind{"/bin/prog", 10, kR | kX | PM_VMA_EXECUTABLE},
                            Kind{"/bin/prog", 10, kR | kW | PM_VMA_EXECUTABLE},
                            Kind{"/bin/prog", 10, kR | PM_VMA_EXECUTABLE},
                            Kind{"/lib/a.so", 20, kR | kX},
                            Kind{"/lib/a.so", 20, kR},
                            Kind{"/lib/a.so", 20, kR | kW},
                            Kind{"/lib/b.so.1", 0, kR | kX},
                            Kind{"/lib/b.so.1", 0, kR | kW},
                            Kind{"/data/file", 30, kR},
                            Kind{"/data/file", 30, kR | kW | PM_VMA_SHARED},
                            Kind{"/memfd:x (deleted)", 40, kR | kW | PM_VMA_SHARED},
                            Kind{"[heap]", 0, kR | kW},
                            Kind{"[stack]", 0, kR | kW | PM_VMA_GROWSDOWN},
                            Kind{"[vdso]", 0, kR | kX},
                            Kind{"[new]", 0, kR},
                            Kind{"[anon:jit]", 0, kR | kX},
                            Kind{"", 0, kR | kW},
                            Kind{"", 0, kR | kW},
                            Kind{"", 0, 0},
                            Kind{"", 0, kR | kX},
                            Kind{"", 0, kR | kW | PM_VMA_SHARED}};
constexpr Kind kKernelData{"[vvar]", 0, kR};

class Generator {
 public:
  Generator(std::uint64_t seed, Version version) : random_(seed), version_(version) {}

  RandomSnapshot make() {
    if (version_ == Version::k2) snapshot_.page_size = 4096u << 2 * below(3);
    if (version_ == Version::k2) snapshot_.has_areas = below(8) != 0;
    for (std::uint64_t n = below(8); n > 0; --n) add_task();
    if (version_ == Version::k2 && below(2) == 0) add_ram();
    for (std::uint64_t n = below(5); n > 0; --n) snapshot_.counters.push_back(any());
    if (version_ == Version::k2 && below(3) == 0) snapshot_.excluded = any();
    count_mappings();
    return std::move(snapshot_);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  /// Numbers of all lengths are equally frequent.
  std::uint64_t any() { return random_() >> below(64); }
  std::uint64_t word() { return version_ == Version::k1 ? any() & 0xFFFFFFFF : any(); }

  void add_ram() {
    for (std::uint64_t n = below(3); n > 0; --n)
      snapshot_.zones.push_back(
          {any(), "Normal", any(), any(), any(), any(), any(), any(), any(), any(), any()});
    for (std::uint64_t n = below(6); n > 0; --n) add_owner();
    std::uint64_t next = 0;
    for (std::uint64_t n = below(20); n > 0; --n) {
      next += 1 + below(100);  // a gap, so that no two runs are joined
      pm_ram_run run{next,
                     1 + below(1000),
                     static_cast<pm_ram_class>(below(PM_RAM_CLASS_COUNT)),
                     below(snapshot_.owners.size() + 1),
                     below(snapshot_.owners.size() + 1),
                     any(),
                     any(),
                     any()};
      next += run.pages;
      snapshot_.runs.push_back(run);
    }
  }

  void add_owner() {
    RandomOwner& random = snapshot_.owners.emplace_back();
    random.name = name();
    random.file_system = name();
    pm_ram_owner& owner = random.owner;
    owner.id = snapshot_.owners.size();
    owner.kind = static_cast<pm_owner_kind>(below(PM_OWNER_MOUNT + 1));
    owner.dev_major = static_cast<__u32>(any());
    owner.dev_minor = static_cast<__u32>(any());
    for (__u64* number :
         {&owner.inode, &owner.bytes, &owner.links, &owner.object_bytes, &owner.objects_per_slab,
          &owner.number, &owner.start_time, &owner.cached, &owner.dirty, &owner.writeback})
      *number = any();
    owner.is_dying = below(2) == 0;
    owner.is_counted = below(2) == 0;
    owner.has_states = below(2) == 0;
  }

  std::string name() {
    std::string text;
    for (std::uint64_t n = below(version_ == Version::k1 ? 12 : 30); n > 0; --n)
      text += version_ == Version::k1 ? static_cast<char>('a' + below(26))
                                      : static_cast<char>(below(256));
    return text;
  }

  void add_task() {
    RandomTask& t = snapshot_.tasks.emplace_back();
    t.comm = name();
    t.cgroup = name();
    t.task.pid = snapshot_.tasks.size();
    t.task.mm = below(5) == 0 ? 0 : version_ == Version::k1 ? 0xC0000000 + t.task.pid : t.task.pid;
    for (__u64* number :
         {&t.task.cpu, &t.task.min_flt, &t.task.maj_flt, &t.task.cmin_flt, &t.task.cmaj_flt,
          &t.task.utime, &t.task.stime, &t.task.start_time, &t.task.ppid, &t.task.uid,
          &t.task.group_min_flt, &t.task.group_maj_flt, &t.task.group_utime, &t.task.group_stime})
      *number = any();
    t.task.tgid = t.task.pid;
    t.task.is_leader = below(2) == 0;
    if (t.task.mm == 0 || !snapshot_.has_areas) return;
    next_page_ = 16 + below(1000);
    for (std::uint64_t n = below(12); n > 0; --n) add_area(t);
  }

  void add_area(RandomTask& t) {
    if (below(2) == 0)
      next_page_ += below(version_ == Version::k1 ? 1000 : std::uint64_t{1} << below(44));
    const bool is_kernel_data = version_ == Version::k2 && below(12) == 0;
    const Kind& kind = is_kernel_data ? kKernelData : kKinds[below(kKinds.size())];
    RandomArea area;
    const std::uint64_t pages = 1 + below(below(4) == 0 ? 700 : 40);
    area.unit =
        version_ == Version::k2 && below(10) == 0 && !is_kernel_data ? "/" + name() : kind.unit;
    area.vma.start = next_page_ * snapshot_.page_size;
    next_page_ += pages;
    area.vma.last = next_page_ * snapshot_.page_size - 1;
    area.vma.flags = kind.flags;
    area.vma.inode = kind.inode;
    area.vma.dev_major = static_cast<__u32>(kind.inode);
    area.vma.prot = word();
    area.vma.offset = any();
    area.vma.has_raw_flags = below(2) == 0;
    area.vma.raw_flags = any();
    const std::uint64_t density = below(4);
    for (std::uint64_t i = 0; i < pages; ++i)
      if (below(3) < density)
        add_page(area, area.vma.start + i * snapshot_.page_size, is_kernel_data);
    area.vma.resident = area.pages.size() * snapshot_.page_size;
    t.areas.push_back(std::move(area));
  }

  void add_page(RandomArea& area, std::uint64_t va, bool is_kernel_data) {
    if (version_ == Version::k2 && !is_kernel_data && below(8) == 0) {
      area.swapped.push_back({va, below(32), any()});
      return;
    }
    // Kernel data has frames of its own. The others come from a small range, in runs that overlap,
    // so that some are shared.
    if (below(8) == 0 || frame_ >= 2000) {
      frame_ = below(2000);
      low_bits_ = below(4096);
    }
    const std::uint64_t frame = is_kernel_data ? 100000 + below(10) : ++frame_;
    area.pages.push_back({va, frame * snapshot_.page_size | low_bits_, 0, flags_of(frame)});
  }

  /// Page flags, equal for every mapping of a frame.
  std::uint64_t flags_of(std::uint64_t frame) const {
    if (version_ == Version::k1) return 0x420CC;
    if (frame < 3) return PM_PAGE_ZERO_PAGE;
    if (frame < 10) return PM_PAGE_NOPAGE;
    if (frame < 100) return PM_PAGE_HUGE | PM_PAGE_MMAP;
    return frame / 32 % 2 == 0 ? PM_PAGE_ANON | PM_PAGE_SWAPBACKED : PM_PAGE_UPTODATE;
  }

  void count_mappings() {
    std::map<std::uint64_t, std::uint64_t> mappings;
    for_each_page([&](RandomArea&, pm_page& page) { ++mappings[page.pte / snapshot_.page_size]; });
    for_each_page([&](RandomArea& area, pm_page& page) {
      if ((page.flags & (PM_PAGE_ZERO_PAGE | PM_PAGE_NOPAGE)) == 0)
        page.count = mappings[page.pte / snapshot_.page_size];
      ++area.counts.user;
      if (page.count == 1) ++area.counts.single_use;
      if (page.count > 1) ++area.counts.shared;
    });
    for (RandomTask& task : snapshot_.tasks)
      for (RandomArea& area : task.areas) area.counts.swapped = area.swapped.size();
  }

  template <class Visit>
  void for_each_page(Visit visit) {
    for (RandomTask& task : snapshot_.tasks)
      for (RandomArea& area : task.areas)
        for (pm_page& page : area.pages) visit(area, page);
  }

  std::mt19937_64 random_;
  Version version_;
  RandomSnapshot snapshot_;
  std::uint64_t next_page_ = 0;
  std::uint64_t frame_ = 0;     ///< of the last page
  std::uint64_t low_bits_ = 0;  ///< of its page-table entry
};

std::uint64_t of_environment(const char* name, std::uint64_t usual) {
  const char* const value = std::getenv(name);
  return value == nullptr ? usual : std::strtoull(value, nullptr, 10);
}

}  // namespace

RandomSnapshot random_snapshot(std::uint64_t seed, Version version) {
  return Generator(seed, version).make();
}

std::uint64_t first_seed() {
  return of_environment("PHYSMEM_PROPERTY_SEED", 1);
}

std::uint64_t rounds(std::uint64_t usual) {
  return of_environment("PHYSMEM_PROPERTY_ROUNDS", usual);
}

}  // namespace physmem
