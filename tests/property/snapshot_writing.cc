// SPDX-License-Identifier: MIT
#include "tests/property/snapshot_writing.h"

#include <algorithm>
#include <array>

#include "tests/emitted_text.h"
#include "tests/unit/event_text.h"

namespace physmem {
namespace {

constexpr std::uint64_t kPhysMask = 0x000FFFFFFFFFFFFF;

void emit_area(pm_out* out, const RandomArea& area) {
  pm_vma vma = area.vma;
  vma.unit = text_of(area.unit);
  pm_emit_vma(out, &vma);
  pm_emit_page_counts(out, &area.counts);
  pm_emit_pages_begin(out);
  // Written in two pieces, as collectors do.
  const std::size_t half = area.pages.size() / 2;
  pm_emit_pages(out, area.pages.data(), half);
  pm_emit_pages(out, area.pages.data() + half, area.pages.size() - half);
  pm_emit_pages_end(out);
  if (area.swapped.empty()) return;
  pm_emit_swapped_begin(out);
  pm_emit_swapped(out, area.swapped.data(), area.swapped.size());
  pm_emit_swapped_end(out);
}

void emit_ram(pm_out* out, const RandomSnapshot& snapshot) {
  for (const pm_zone& zone : snapshot.zones) pm_emit_zone(out, &zone);
  pm_ram_writer writer;
  pm_ram_begin(&writer, out);
  for (const RandomOwner& random : snapshot.owners) {
    pm_ram_owner owner = random.owner;
    owner.name = text_of(random.name);
    owner.file_system = text_of(random.file_system);
    pm_ram_put_owner(&writer, &owner);
  }
  for (const pm_ram_run& run : snapshot.runs) pm_ram_put_run(&writer, &run);
  pm_ram_end(&writer);
}

pm_header header_of(const RandomSnapshot& snapshot) {
  pm_header header{};
  header.arch = "riscv64";
  header.kernel = "6.1.0-56-x";
  header.collector = "crash";
  header.host = "a, b=\\";
  header.files = snapshot.has_areas ? "open" : "named";
  header.machine_id = "m, 1";
  header.boot_id = "b=2";
  header.has_sequence = true;
  header.sequence = ~std::uint64_t{0};
  header.pte = "raw";
  header.prot = "raw";
  header.count = "mapcount";
  header.pages = snapshot.has_areas ? "all" : "none";
  header.areas = snapshot.has_areas ? nullptr : "none";
  header.pfn = "shown";
  header.page_size = snapshot.page_size;
  header.time_ns = ~std::uint64_t{0};
  header.hz = 1000;
  header.phys_mask = kPhysMask & ~(snapshot.page_size - 1);
  return header;
}

Header model_of(const RandomSnapshot& snapshot) {
  Header header;
  header.version = 2;
  header.arch = "riscv64";
  header.kernel = "6.1.0-56-x";
  header.collector = "crash";
  header.host = "a, b=\\";
  header.files = snapshot.has_areas ? Header::Files::kOpen : Header::Files::kNamed;
  header.machine_id = "m, 1";
  header.boot_id = "b=2";
  header.sequence = ~std::uint64_t{0};
  header.page_size.bytes = snapshot.page_size;
  header.time_ns = ~std::uint64_t{0};
  header.hz = 1000;
  header.phys_mask = kPhysMask & ~(snapshot.page_size - 1);
  header.stable_flags = true;
  header.count = Header::Count::kMapcount;
  header.has_pages = snapshot.has_areas;
  header.has_areas = snapshot.has_areas;
  return header;
}

Task model_of(const RandomTask& t, Version version) {
  const pm_task& p = t.task;
  Task task{t.comm,     p.pid,      p.mm,    p.cpu,   p.min_flt, p.maj_flt,
            p.cmin_flt, p.cmaj_flt, p.utime, p.stime, {},        {}};
  if (version == Version::k1) return task;
  task.identity = TaskIdentity{p.tgid, p.start_time, p.ppid, p.uid};
  if (p.is_leader)
    task.group =
        TaskGroup{p.group_min_flt, p.group_maj_flt, p.group_utime, p.group_stime, t.cgroup};
  return task;
}

Vma model_of(const RandomArea& area, Version version) {
  const pm_vma& p = area.vma;
  Vma vma{p.start, p.last, p.resident, p.prot, p.flags, area.unit, 0, 0, 0, {}};
  if (version == Version::k1) return vma;
  vma.offset = p.offset;
  vma.device = std::uint64_t{p.dev_major} << 32 | p.dev_minor;
  vma.inode = p.inode;
  if (p.has_raw_flags) vma.raw_flags = p.raw_flags;
  return vma;
}

void expect_area(EventText& events, const RandomArea& area, Version version) {
  events.on_vma(model_of(area, version));
  const pm_page_counts& c = area.counts;
  events.on_counts({c.user, c.executable, c.read_only, c.single_use, c.shared, c.swapped});
  for (const pm_page& page : area.pages) {
    const PageRun run{page.va, page.pte, 1, page.count, page.flags};
    events.on_pages({&run, 1}, {});
  }
  for (const pm_swap& swap : area.swapped) {
    const SwapEntry entry{swap.va, swap.type, swap.offset};
    events.on_swapped({&entry, 1});
  }
}

/// Only the fields that the kind of owner has.
RamOwner model_of(const RandomOwner& random) {
  const pm_ram_owner& p = random.owner;
  RamOwner owner;
  owner.id = p.id;
  owner.kind = static_cast<RamOwner::Kind>(p.kind);
  if (owner.kind != RamOwner::Kind::kTask) owner.name = random.name;
  if (owner.kind == RamOwner::Kind::kFile || owner.kind == RamOwner::Kind::kMount)
    owner.device = std::uint64_t{p.dev_major} << 32 | p.dev_minor;
  if (owner.kind == RamOwner::Kind::kFile) {
    owner.file_system = random.file_system;
    owner.inode = p.inode;
    owner.bytes = p.bytes;
    owner.links = p.links;
  }
  if (owner.kind == RamOwner::Kind::kFile && p.is_counted) {
    owner.kind = RamOwner::Kind::kCountedFile;
    owner.counts.pages = p.cached;
    if (p.has_states) owner.counts.dirty = p.dirty;
    if (p.has_states) owner.counts.writeback = p.writeback;
  }
  if (owner.kind == RamOwner::Kind::kSlab) {
    owner.object_bytes = p.object_bytes;
    owner.objects_per_slab = p.objects_per_slab;
  }
  const bool is_group = owner.kind == RamOwner::Kind::kCgroup;
  if (is_group || owner.kind == RamOwner::Kind::kTask) owner.number = p.number;
  owner.is_dying = is_group && p.is_dying;
  if (owner.kind == RamOwner::Kind::kTask) owner.start_time = p.start_time;
  return owner;
}

void expect_ram(EventText& events, const RandomSnapshot& snapshot) {
  for (const pm_zone& z : snapshot.zones)
    events.on_zone({z.node, z.name, z.first_pfn, z.spanned, z.present, z.managed, z.free,
                    z.percpu_lists, z.min, z.low, z.high});
  for (const RandomOwner& owner : snapshot.owners) events.on_owner(model_of(owner));
  std::uint64_t frames = 0;
  for (const pm_ram_run& r : snapshot.runs) {
    events.on_ram({r.first_pfn, r.pages, r.class_, r.owner, r.cgroup, r.flags, r.count, r.place});
    frames += r.pages;
  }
  const std::array<Counter, 3> sums{{{"ram.runs", snapshot.runs.size()},
                                     {"ram.frames", frames},
                                     {"ram.owners", snapshot.owners.size()}}};
  events.on_counters(sums);
}

}  // namespace

std::string emitted(const RandomSnapshot& snapshot) {
  const pm_header header = header_of(snapshot);
  return emitted_by([&](pm_out* out) {
    pm_emit_header(out, &header);
    std::vector<pm_counter> counters;
    for (const std::uint64_t value : snapshot.counters) counters.push_back({"vm.pgfault", value});
    pm_emit_counters(out, counters.data(), counters.size());
    pm_end end{snapshot.tasks.size(), 0, 0, 0, snapshot.excluded};
    for (const RandomTask& random : snapshot.tasks) {
      pm_task task = random.task;
      task.comm = text_of(random.comm);
      task.cgroup = text_of(random.cgroup);
      pm_emit_task(out, &task);
      for (const RandomArea& area : random.areas) {
        emit_area(out, area);
        ++end.areas;
        end.pages += area.pages.size();
        end.swapped += area.swapped.size();
      }
    }
    emit_ram(out, snapshot);
    pm_emit_end(out, &end);
  });
}

std::string as_version_1(const RandomSnapshot& snapshot) {
  std::string text = "T: swapper , 0, 00000000, 0, 0, 0, 0, 0, 0, 0\n";
  const auto to = std::back_inserter(text);
  for (const RandomTask& random : snapshot.tasks) {
    const pm_task& t = random.task;
    fmt::format_to(to, "T: {:<8}, {}, {:08x}, {}, {}, {}, {}, {}, {}, {}\n", random.comm, t.pid,
                   t.mm, t.cpu, t.min_flt, t.maj_flt, t.cmin_flt, t.cmaj_flt, t.utime, t.stime);
    for (const RandomArea& area : random.areas) {
      const pm_vma& v = area.vma;
      fmt::format_to(
          to, "V: {:08X}, {:08X}, {:08X}, {:08X}, {:08X}, {:08X}, {}\nP: {}, {}, {}, {}, {}\nM:",
          v.start, v.last, v.last - v.start + 1, v.resident, v.prot, v.flags,
          area.unit.empty() ? "NULL" : area.unit, area.counts.user, area.counts.executable,
          area.counts.read_only, area.counts.single_use, area.counts.shared);
      // The paper's figure wraps its lines after three or four entries.
      for (std::size_t i = 0; i < area.pages.size(); ++i)
        fmt::format_to(to, "{}{:08X}={:08X}, {}, {:08X} |", i % 3 == 2 ? "\n" : " ",
                       area.pages[i].va, area.pages[i].pte, area.pages[i].count,
                       area.pages[i].flags);
      text += '\n';
    }
  }
  return text;
}

std::string expected_events(const RandomSnapshot& snapshot, Version version) {
  EventText events;
  events.on_header(version == Version::k1 ? Header{} : model_of(snapshot));
  for (const std::uint64_t value : snapshot.counters) {
    const Counter counter{"vm.pgfault", value};
    if (version == Version::k2) events.on_counters({&counter, 1});
  }
  if (version == Version::k1) events.on_task({"swapper", 0, 0, 0, 0, 0, 0, 0, 0, 0, {}, {}});
  for (const RandomTask& task : snapshot.tasks) {
    events.on_task(model_of(task, version));
    for (const RandomArea& area : task.areas) expect_area(events, area, version);
  }
  if (version == Version::k2) expect_ram(events, snapshot);
  events.on_end({snapshot.excluded});
  return events.text();
}

}  // namespace physmem
