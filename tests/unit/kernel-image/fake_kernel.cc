// SPDX-License-Identifier: MIT
#include "tests/unit/kernel-image/fake_kernel.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <span>

namespace physmem::crash {

FakeKernel::FakeKernel(Era era, unsigned levels, std::uint32_t seed)
    : types(era, seed), levels_(levels) {
  // A frame that was not set has _mapcount -1: no process maps it.
  memory.fill = [this](std::uint64_t at, std::uint8_t* block) {
    if (at < FakeMemory::kStructPages) return;
    const std::uint32_t none = ~0u;
    for (std::uint64_t page = 0; page < kPage; page += 64)
      std::memcpy(block + page + types.offset("page._mapcount"), &none, sizeof none);
  };
  make_system();
}

/// Linux 6.1.0 on x86_64 with 4 GiB. The clock is at 1763683200 s, and the uptime is one day.
void FakeKernel::make_system() {
  for (const char* function : {"special_mapping_name", "simple_dname", "driver_dname"})
    symbols[function] = 0xFFFFFFFF81000000 + 64 * symbols.size();
  const auto variable = [this](const char* name, std::size_t bytes, std::uint64_t value) {
    symbols[name] = memory.allocate(name, bytes, 8);
    memory.put(symbols[name], bytes, value);
  };
  variable("_totalram_pages", 8, frames);
  variable("zero_pfn", 8, 0x777);
  variable("pgdir_shift", 4, levels_ == 5 ? 48 : 39);
  variable("physical_mask", 8, 0x000FFFFFFFFFFFFF);
  // Types of pages as in VMCOREINFO of kernels that have them as bits.
  variable("vmcoreinfo_data", 8,
           memory.text("vmcoreinfo",
                       "OSRELEASE=6.1.0\nNUMBER(PAGE_BUDDY_MAPCOUNT_VALUE)=-129\n"
                       "NUMBER(PAGE_OFFLINE_MAPCOUNT_VALUE)=-257\n"
                       "NUMBER(SECTION_SIZE_BITS)=27\nNUMBER(MAX_PHYSMEM_BITS)=46\n"));
  variable("cgrp_dfl_root", 8, 0);
  variable("other_root", 8, 0);
  symbols["init_uts_ns"] = allocate("uts_namespace");
  memory.put_text(at(symbols["init_uts_ns"], "uts_namespace.name/new_utsname.nodename"), "board-7");
  memory.put_text(at(symbols["init_uts_ns"], "uts_namespace.name/new_utsname.release"), "6.1.0");
  memory.put_text(at(symbols["init_uts_ns"], "uts_namespace.name/new_utsname.machine"), "x86_64");

  make_clock();

  // Separates the variables above from later data, so that no lost block contains both.
  memory.allocate("gap", kPage, kPage);
  root_.dentry = new_dentry(0, "/");
  root_.mount = allocate("mount");
  put(root_.mount, "mount.mnt_parent", root_.mount);
  put(root_.mount, "mount.mnt_mountpoint", root_.dentry);
  put(root_.mount, "mount.mnt/vfsmount.mnt_root", root_.dentry);

  root_cgroup_ = cgroup("/");

  symbols["init_mm"] = add_mm();
  symbols["init_task"] = new_task({.pid = 0, .comm = "swapper/0", .uid = 0, .has_mm = false}, 0);
  append(0, at(init_task(), "task_struct.tasks"));
  put(init_task(), "task_struct.real_parent", init_task());
}

void FakeKernel::make_clock() {
  const std::uint64_t clock = symbols["shadow_timekeeper"] = allocate("timekeeper");
  put(clock, "timekeeper.xtime_sec", 1763683200);
  put(clock, "timekeeper.tkr_mono/tk_read_base.shift", 8);
  put(clock, "timekeeper.tkr_mono/tk_read_base.xtime_nsec", 500 << 8);
  put(clock, "timekeeper.wall_to_monotonic/timespec64.tv_sec",
      static_cast<std::uint64_t>(-1763683200 + 80000));
  put(clock, "timekeeper.wall_to_monotonic/timespec64.tv_nsec", 7);
  put(clock, "timekeeper.offs_boot", 6400000000000);
}

std::uint64_t FakeKernel::allocate(std::string_view type) {
  return memory.allocate(type, types.size(type));
}

void FakeKernel::put(std::uint64_t object, std::string_view path, std::uint64_t value) {
  const pm_field field = types.field(path);
  memory.put(object + static_cast<std::uint64_t>(field.offset),
             static_cast<std::size_t>(field.size), value);
}

std::uint64_t FakeKernel::get(std::uint64_t object, std::string_view path) {
  const pm_field field = types.field(path);
  return memory.get(object + static_cast<std::uint64_t>(field.offset),
                    static_cast<std::size_t>(field.size));
}

void FakeKernel::append(std::uint64_t head, std::uint64_t node) {
  const std::uint64_t next = head != 0 ? head : node;
  const std::uint64_t last = head != 0 ? get(head, "list_head.prev") : node;
  put(node, "list_head.next", next);
  put(node, "list_head.prev", last);
  put(last, "list_head.next", node);
  put(next, "list_head.prev", node);
}

std::uint64_t FakeKernel::new_task(const FakeTask& facts, std::uint64_t tgid) {
  const std::uint64_t task = allocate("task_struct");
  const std::uint64_t cred = allocate("cred");
  put(cred, "cred.uid", facts.uid);
  put(task, "task_struct.pid", facts.pid);
  put(task, "task_struct.tgid", tgid);
  put(task, "task_struct.flags", facts.flags);
  put(task, "task_struct.real_cred", cred);
  put(task, "task_struct.real_parent",
      facts.parent != 0 || symbols.count("init_task") == 0 ? facts.parent : init_task());
  memory.put_text(at(task, "task_struct.comm"), facts.comm.substr(0, 16));
  put_in_cgroup(task, root_cgroup_);
  // A real kernel has only one of the two members.
  for (const char* cpu : {"task_struct.cpu", "task_struct.thread_info/thread_info.cpu"})
    put(task, cpu, 3);
  for (const char* start : {"task_struct.start_boottime", "task_struct.real_start_time"})
    put(task, start, 50'000'000'000 + facts.pid * 10'000'000);
  return task;
}

FakeProcess FakeKernel::add_process(const FakeTask& facts) {
  FakeProcess process{new_task(facts, facts.pid), allocate("signal_struct"),
                      facts.has_mm ? add_mm() : 0};
  put(process.task, "task_struct.group_leader", process.task);
  put(process.task, "task_struct.signal", process.signal);
  put(process.task, "task_struct.mm", process.mm);
  append(at(init_task(), "task_struct.tasks"), at(process.task, "task_struct.tasks"));
  append(0, at(process.signal, "signal_struct.thread_head"));
  append(at(process.signal, "signal_struct.thread_head"),
         at(process.task, "task_struct.thread_node"));
  return process;
}

std::uint64_t FakeKernel::add_thread(const FakeProcess& process, const FakeTask& facts) {
  const std::uint64_t task = new_task(facts, get(process.task, "task_struct.tgid"));
  put(task, "task_struct.group_leader", process.task);
  put(task, "task_struct.signal", process.signal);
  put(task, "task_struct.mm", facts.has_mm ? process.mm : 0);
  append(at(process.signal, "signal_struct.thread_head"), at(task, "task_struct.thread_node"));
  return task;
}

std::uint64_t FakeKernel::bits(const std::vector<std::string>& flags) const {
  std::uint64_t bits = 0;
  for (const std::string& flag : flags) bits |= std::uint64_t{1} << types.number(flag);
  return bits;
}

void FakeKernel::set_frame(std::uint64_t pfn, const FakeFrame& frame) {
  put(page(pfn), "page._mapcount", static_cast<std::uint64_t>(frame.mapcount - 1));
  put(page(pfn), "page.flags", bits(frame.flags));
  put(page(pfn), "page.mapping", frame.mapping);
}

/// `entire` counts mappings of the whole compound page, frame.mapcount mappings of each page.
void FakeKernel::make_compound(std::uint64_t head, std::uint64_t pages, const FakeFrame& frame,
                               std::int64_t entire, const std::vector<std::string>& second_flags) {
  for (std::uint64_t i = 0; i < pages; ++i) {
    set_frame(head + i, {frame.mapcount, {}, 0});
    if (i != 0) put(page(head + i), "page.compound_head", page(head) | 1);
  }
  put(page(head), "page.flags", bits(frame.flags) | bits({"PG_head"}));
  put(page(head), "page.mapping", frame.mapping);
  put(page(head + 1), "page.flags", bits(second_flags));
  put(page(head + 1), "page.compound_mapcount", static_cast<std::uint64_t>(entire - 1));
}

namespace {

FakeKernel* self_of(void* self) {
  return static_cast<FakeKernel*>(self);
}

}  // namespace

void FakeKernel::read_by_lists(pm_dump& dump) {
  dump.direct_map = FakeMemory::kDirectMap;
  dump.read_list = [](void* self, pm_item* items, std::size_t n) {
    for (pm_item& item : std::span(items, n))
      item.is_read = self_of(self)->memory.read(PM_KERNEL, item.at, item.to, item.bytes);
  };
  dump.page_at = [](void* self, __u64 at) -> __u64 {
    const bool is_ram = at >= FakeMemory::kDirectMap && at < FakeMemory::kStructPages;
    return is_ram ? self_of(self)->page((at - FakeMemory::kDirectMap) / kPage) : 0;
  };
}

pm_dump FakeKernel::dump() {
  pm_dump dump{};
  dump.self = this;
  if (reads_lists) read_by_lists(dump);
  dump.page_size = kPage;
  dump.read = [](void* self, pm_space space, __u64 at, void* to, std::size_t n) {
    return self_of(self)->memory.read(space, at, to, n);
  };
  dump.member = [](void* self, const char* type, const char* member, pm_field* field) {
    return self_of(self)->types.find_member(type, member, field);
  };
  dump.size_of = [](void* self, const char* type) { return self_of(self)->types.find_size(type); };
  dump.length_of = [](void* self, const char* symbol) -> std::size_t {
    return std::string_view(symbol) == "swap_info" ? self_of(self)->swap_types : 0;
  };
  dump.enumerator = [](void* self, const char* name, __u64* value) {
    std::uint64_t number = 0;
    const bool is_found = self_of(self)->types.find_number(name, &number);
    if (is_found) *value = number;
    return is_found;
  };
  dump.symbol = [](void* self, const char* name, __u64* address) {
    self_of(self)->asked.insert(name);
    const auto& known = self_of(self)->symbols;
    const auto found = known.find(name);
    if (found != known.end()) *address = found->second;
    return found != known.end();
  };
  dump.name_of = [](void* self, __u64 address, char* to, std::size_t room) {
    for (const auto& [name, start] : self_of(self)->symbols)
      if (address > start && address - start < 64)
        return std::snprintf(to, room, "%s+0x%llx", name.c_str(),
                             static_cast<unsigned long long>(address - start)) > 0;
    return false;
  };
  if (has_mapped_addresses)
    dump.needs_tables = [](void*, __u64 at) {
      return at >= kMapped && at < FakeMemory::kStructPages;
    };
  dump.page_of = [](void* self, __u64 pfn) -> __u64 {
    return pfn < self_of(self)->frames ? self_of(self)->page(pfn) : 0;
  };
  dump.holds = [](void* self, __u64 pfn) { return self_of(self)->excluded_frames.count(pfn) == 0; };
  dump.is_interrupted = [](void* self) {
    auto* kernel = self_of(self);
    return kernel->is_interrupted || (kernel->checks_left >= 0 && kernel->checks_left-- == 0);
  };
  return dump;
}

Opened::Opened(FakeKernel& kernel) : image_(std::make_unique<pm_image>()) {
  kernel.finish();
  dump_ = kernel.dump();
  char why[256] = "";
  if (!pm_layout_find(&layout_, &dump_, why, sizeof why) ||
      !pm_image_open(image_.get(), &dump_, &layout_, why, sizeof why))
    why_ = why;
}

Opened::~Opened() {
  pm_image_close(image_.get());
}

namespace {

struct LimitedText {
  std::string text;
  std::size_t max_bytes;
};

int append_text(void* to, const char* text, std::size_t n) {
  auto* limited = static_cast<LimitedText*>(to);
  if (limited->text.size() + n > limited->max_bytes) return -ENOSPC;
  limited->text.append(text, n);
  return 0;
}

}  // namespace

Snapshot snapshot_of(FakeKernel& kernel, const std::vector<__u64>& pids, bool without_pages,
                     std::size_t max_bytes) {
  const Opened image(kernel);
  Snapshot snapshot;
  snapshot.error = -EINVAL;
  if (!image.why().empty()) return snapshot;
  LimitedText written{"", max_bytes};
  std::vector<char> buffer(4096);
  pm_out out{buffer.data(), buffer.size(), 0, append_text, &written, 0};
  const auto found_pids = std::make_unique<bool[]>(pids.size());
  pm_ram_section ram{};
  char why[256];
  if (kernel.with_ram && !pm_ram_section_open(&ram, image.get(), why, sizeof why)) return snapshot;
  const pm_choice choice{pids.data(), found_pids.get(), pids.size(), without_pages,
                         kernel.with_ram ? &ram : nullptr};
  const pm_progress progress{};
  snapshot.error = pm_snapshot(image.get(), &choice, &progress, &out, &snapshot.end);
  pm_ram_section_close(&ram);
  const std::size_t line = std::min(written.text.find('\n') + 1, written.text.size());
  snapshot.header = written.text.substr(0, line);
  snapshot.text = written.text.substr(line);
  snapshot.notes = image->notes;
  return snapshot;
}

}  // namespace physmem::crash
