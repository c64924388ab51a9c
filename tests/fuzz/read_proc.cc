// SPDX-License-Identifier: MIT
// The input is a file below /proc, with its name in the first line. It gives values that satisfy
// the guarantees of their readers, or an error. VMAs and tasks can be written as records, and the
// analyzer reads them back.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/parse/record_parser.h"
#include "analyzer/parse/snapshot_reader.h"
#include "collector-proc/cgroup_reader.h"
#include "collector-proc/count_kind.h"
#include "collector-proc/counters_reader.h"
#include "collector-proc/ram/cgroup_totals.h"
#include "collector-proc/ram/kernel_lists.h"
#include "collector-proc/ram/memory_nodes.h"
#include "collector-proc/ram/physical_map.h"
#include "collector-proc/ram/ram_totals.h"
#include "collector-proc/record_of.h"
#include "collector-proc/smaps_reader.h"
#include "collector-proc/stat_reader.h"
#include "collector-proc/status_reader.h"
#include "formats/emit/emit.h"
#include "tests/emitted_text.h"
#include "tests/fuzz/check.h"

namespace physmem::collect {
namespace {

constexpr std::uint64_t kPageSize = 4096;

/// The records of one process with these VMAs, written by the collector's emitter.
std::string snapshot_of(const pm_task& task, const std::vector<Area>& areas) {
  return emitted_by([&](pm_out* out) {
    pm_header header{};
    header.page_size = kPageSize;
    header.hz = 100;
    header.pages = "none";
    pm_emit_header(out, &header);
    pm_emit_task(out, &task);
    pm_end end{};
    end.tasks = 1;
    const pm_page_counts none{};
    for (const Area& area : areas) {
      const pm_vma vma = record_of(area, 0);
      pm_emit_vma(out, &vma);
      pm_emit_page_counts(out, &none);
      ++end.areas;
    }
    pm_emit_end(out, &end);
  });
}

/// Checks that the records read back are those that were written.
class Expectation : public Events {
 public:
  Expectation(std::string comm, const std::vector<Area>& areas)
      : comm_(std::move(comm)), areas_(areas) {}
  void on_task(physmem::Task&& task) override { PHYSMEM_CHECK(task.comm == comm_); }
  void on_vma(Vma&& vma) override {
    PHYSMEM_CHECK(seen_ < areas_.size());
    const Area& area = areas_[seen_++];
    PHYSMEM_CHECK(vma.start == area.start && vma.last == area.end - 1 && vma.flags == area.flags);
    PHYSMEM_CHECK(vma.offset == area.offset && vma.inode == area.inode);
    // NULL is also written if there is no unit.
    PHYSMEM_CHECK(vma.unit == area.unit || area.unit == "NULL");
  }
  std::size_t seen() const { return seen_; }

 private:
  std::string comm_;
  const std::vector<Area>& areas_;
  std::size_t seen_ = 0;
};

void check_read_back(Thread thread, const std::vector<Area>& areas) {
  Process process{};
  process.pid = thread.tid = 1;
  const pm_task task = record_of(process, thread, 1);
  const std::string text = snapshot_of(task, areas);
  const auto source = text_source(text);
  SnapshotReader reader(*source, "f", {});
  Expectation events(thread.stat.comm, areas);
  const auto found = reader.next(events);
  PHYSMEM_CHECK(found && *found && events.seen() == areas.size());
}

bool is_aligned(const Area& area) {
  return area.start % kPageSize == 0 && area.end % kPageSize == 0;
}

void check_areas(const std::vector<Area>& areas) {
  std::uint64_t end = 0;
  for (const Area& area : areas) {
    PHYSMEM_CHECK(end <= area.start && area.start < area.end && area.unit != "[vsyscall]" &&
                  area.unit != "[vectors]");
    end = area.end;
  }
  if (!std::all_of(areas.begin(), areas.end(), is_aligned)) return;
  Thread thread{};
  thread.stat.vsize = 1;
  check_read_back(thread, areas);
}

void check_error(const Error& error) {
  PHYSMEM_CHECK(error.kind == Error::Kind::kBadInput && !error.text.empty() &&
                error.text.size() < 1000);
}

void check_maps(std::string_view text) {
  AreaList list;
  const Status status = parse_maps(text, list);
  if (!status) check_error(status.error());
  check_areas(list.areas());
}

void check_smaps(std::string_view text) {
  CountedAreas counted;
  const Status status = parse_smaps(text, kPageSize, counted);
  if (!status) check_error(status.error());
  PHYSMEM_CHECK(counted.counts.size() == counted.list.areas().size());
  for (const pm_page_counts& counts : counted.counts)
    PHYSMEM_CHECK(counts.user == counts.single_use + counts.shared);
  check_areas(counted.list.areas());
}

/// The name with the escapes that the kernel uses in stat.
std::string escaped(std::string_view comm) {
  std::string text;
  for (const char c : comm) text += c == '\n' ? "\\n" : c == '\\' ? "\\\\" : std::string(1, c);
  return text;
}

void check_stat(std::string_view text) {
  const auto stat = parse_stat(text);
  if (!stat) return;
  PHYSMEM_CHECK(stat->comm.size() <= text.size());
  const std::string rest(text.substr(text.rfind(')')));
  const auto same = parse_stat("1 (" + escaped(stat->comm) + rest);
  PHYSMEM_CHECK(same && same->comm == stat->comm && same->start_time == stat->start_time);
  Thread thread{};
  thread.stat = *stat;
  check_read_back(thread, {});
}

/// Lines with other names have no effect.
void check_status(std::string_view text) {
  const auto status = parse_status(text);
  const auto same = parse_status("Name:\tcat\n" + std::string(text) + "\nTgid:\t1\nUid:\t0\n");
  PHYSMEM_CHECK(same);
  PHYSMEM_CHECK(!status || (same->tgid == status->tgid && same->uid == status->uid));
}

void check_cgroup(std::string_view text) {
  const std::string_view group = memory_cgroup(text);
  PHYSMEM_CHECK(group.find('\n') == std::string_view::npos);
  PHYSMEM_CHECK(group.empty() || text.find(":" + std::string(group)) != std::string_view::npos);
}

void check_counters(std::string_view text) {
  std::vector<Counter> counters;
  parse_vmstat(text, counters);
  parse_meminfo(text, counters);
  parse_pressure(text, "psi.memory.", counters);
  for (const Counter& counter : counters)
    PHYSMEM_CHECK(std::all_of(counter.name.begin(), counter.name.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '_' || c == '.';
    }));
  const std::uint64_t lines =
      static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  PHYSMEM_CHECK(count_swap_devices(text) <= lines && counters.size() <= 3 * (lines + 1));
}

void check_iomem(std::string_view text) {
  std::uint64_t end = 0;
  std::vector<FrameSpan> map = parse_iomem(text, kPageSize);
  const std::uint64_t frames = frames_of(map);
  mark_offline(map, 100, 200);
  PHYSMEM_CHECK(frames_of(map) == frames);
  for (const FrameSpan& span : map) {
    PHYSMEM_CHECK(end <= span.begin && span.begin < span.end && span.end <= kMaxFrames);
    end = span.end;
  }
}

/// Counters of the whole of RAM are read back as they were written.
void check_lists(std::string_view text) {
  std::vector<Counter> counters =
      parse_slabinfo(text, [](std::string_view cache) { return cache.size() % 2 == 0; });
  for (Counter& counter : parse_vmallocinfo(text)) counters.push_back(std::move(counter));
  for (const std::uint64_t node : parse_id_list(text))
    counters.push_back({"node." + std::to_string(node) + ".tier", 4});
  for (Counter& total : free_orders(text)) counters.push_back(std::move(total));
  for (const bool is_version_1 : {false, true})
    if (const auto pages = parse_memory_stat(text, is_version_1, kPageSize).file)
      counters.push_back({"cgroup.1.before.file", *pages});
  if (const auto rollup = parse_rollup(text))
    counters.push_back({"process.1.before.rss_kB", rollup->rss_kb});
  for (const MemoryZone& zone : parse_zoneinfo(text))
    for (Counter& total : ram_totals(text, text, {zone}, kPageSize))
      counters.push_back({"ram.before." + total.name, total.value});
  for (const Counter& counter : counters) {
    const pm_counter record{counter.name.c_str(), counter.value};
    const std::string line = emitted_by([&](pm_out* out) { pm_emit_counters(out, &record, 1); });
    LineCursor cursor(std::string_view(line).substr(0, line.size() - 1), true);
    const auto read = parse_counters(cursor);
    PHYSMEM_CHECK(cursor.ok() && read.size() == 1 && read[0].name == counter.name &&
                  read[0].value == counter.value);
  }
}

void check(std::string_view name, std::string_view text) {
  if (name == "maps") check_maps(text);
  if (name == "smaps") check_smaps(text);
  if (name == "stat") check_stat(text);
  if (name == "status") check_status(text);
  if (name == "cgroup") check_cgroup(text);
  if (name == "counters") check_counters(text);
  if (name == "iomem") check_iomem(text);
  if (name == "lists") check_lists(text);
  if (name == "config") {
    const std::string kind = count_kind_of_config(text);
    PHYSMEM_CHECK(kind == "mapcount" ||
                  text.find("CONFIG_NO_PAGE_MAPCOUNT=y") != std::string_view::npos);
  }
}

}  // namespace
}  // namespace physmem::collect

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t newline = input.find('\n');
  if (newline == std::string_view::npos) return 0;
  physmem::collect::check(input.substr(0, newline), input.substr(newline + 1));
  return 0;
}
