// SPDX-License-Identifier: MIT
// The events of a snapshot as text, one event per line with all its fields. Tests compare the
// result of the reader in this form.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "analyzer/parse/events.h"
#include "analyzer/parse/line_cursor.h"

namespace physmem {

class EventText : public Events {
 public:
  const std::string& text() const { return text_; }
  std::uint64_t page_bytes() const { return page_bytes_; }

  void on_header(const Header& h) override {
    page_bytes_ = h.page_size.bytes;
    add("header {} {} {} {} {} time={} up={} hz={} ram={} mask={:X} pte={:d} prot={:d} kpf={:d} "
        "count={} "
        "pages={:d} areas={:d} hidden={:d}",
        h.version, h.arch, h.page_size.bytes, h.kernel, h.collector, h.time_ns.value_or(0),
        h.uptime_ns.value_or(0), h.hz, h.ram_pages.value_or(0), h.phys_mask, h.raw_pte, h.raw_prot,
        h.stable_flags, static_cast<int>(h.count), h.has_pages, h.has_areas, h.pfn_hidden);
    if (!h.host.empty()) add(" host={}", quoted(h.host));
    if (!h.machine_id.empty()) add(" machine={}", quoted(h.machine_id));
    if (!h.boot_id.empty()) add(" boot={}", quoted(h.boot_id));
    if (h.files != Header::Files::kNone) add(" files={}", static_cast<int>(h.files));
    if (h.sequence) add(" sequence={}", *h.sequence);
    if (h.ram != Header::Ram::kNone) add(" ram={:d} by={}", static_cast<int>(h.ram), h.ram_by);
    text_ += '\n';
  }
  void on_counters(std::span<const Counter> counters) override {
    for (const Counter& c : counters) add("counter {}={}\n", c.name, c.value);
  }
  void on_task(Task&& t) override {
    add("task {} pid={} mm={:X} cpu={} faults={},{},{},{} time={},{}", quoted(t.comm), t.pid, t.mm,
        t.cpu, t.min_flt, t.maj_flt, t.cmin_flt, t.cmaj_flt, t.utime, t.stime);
    if (t.identity)
      add(" tgid={} start={} ppid={} uid={}", t.identity->tgid, t.identity->start_time,
          t.identity->ppid, t.identity->uid);
    if (t.group)
      add(" group={},{},{},{} {}", t.group->min_flt, t.group->maj_flt, t.group->utime,
          t.group->stime, quoted(t.group->cgroup));
    text_ += '\n';
  }
  void on_vma(Vma&& v) override {
    add("vma {:X}-{:X} resident={:X} prot={:X} flags={:X} {} offset={:X} device={:X} inode={}",
        v.start, v.last, v.resident, v.prot, v.flags, quoted(v.unit), v.offset, v.device, v.inode);
    if (v.raw_flags) add(" raw={:X}", *v.raw_flags);
    text_ += '\n';
  }
  void on_counts(const PageCounts& c) override {
    add("counts {} {} {} {} {} {}\n", c.user, c.executable, c.read_only, c.single_use, c.shared,
        c.swapped);
  }
  void on_pages(std::span<const PageRun> runs, const PageSums& /*sums*/) override {
    for_each_page(runs, page_bytes_, [this](const PageRun& p) {
      add("page {:X}={:X} {} {:X}\n", p.va, p.value, p.count, p.flags);
    });
  }
  void on_swapped(std::span<const SwapEntry> entries) override {
    for (const SwapEntry& s : entries) add("swapped {:X}={}:{:X}\n", s.va, s.type, s.slot);
  }
  void on_holder(Holder&& h) override {
    add("holder {} {} kind={} {:X} {} bytes={} pages={} {}\n", h.pid, h.descriptor,
        static_cast<int>(h.kind), h.device, h.inode, h.bytes,
        h.pages ? std::to_string(*h.pages) : "-", quoted(h.name));
  }
  void on_zone(const Zone& z) override {
    add("zone {} {} {:X} spanned={} present={} managed={} free={} percpu={} marks={},{},{}\n",
        z.node, quoted(z.name), z.first_pfn, z.spanned, z.present, z.managed, z.free,
        z.percpu_lists, z.min, z.low, z.high);
  }
  void on_owner(RamOwner&& o) override {
    add("owner {} kind={} {} {} device={:X} inode={} bytes={} links={} build={} objects={},{} "
        "number={} dying={:d} start={}\n",
        o.id, static_cast<int>(o.kind), quoted(o.name), quoted(o.file_system), o.device, o.inode,
        o.bytes, o.links, quoted(o.build_id), o.object_bytes, o.objects_per_slab, o.number,
        o.is_dying, o.start_time);
    const auto or_dash = [](const auto& number) {
      return number ? std::to_string(*number) : std::string("-");
    };
    if (o.kind == RamOwner::Kind::kCountedFile)
      add("cached {} dirty={} writeback={}\n", o.counts.pages, or_dash(o.counts.dirty),
          or_dash(o.counts.writeback));
  }
  void on_ram(const RamRun& r) override {
    add("ram {:X} {} {} owner={} cgroup={} {:X} {} place={:X}\n", r.first_pfn, r.pages,
        kFrameClassWords[r.use], r.owner, r.cgroup, r.flags, r.count, r.place);
  }
  void on_elided() override { text_ += "elided\n"; }
  void on_end(const SnapshotEnd& end) override {
    end.excluded == 0 ? add("end\n") : add("end excluded={}\n", end.excluded);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  /// Escapes the name completely, other than quoted() of the messages, so that different names give
  /// different text.
  static std::string quoted(const std::string& name) {
    std::string out = "\"";
    for (const char c : name) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < ' ' || byte > '~' || c == '"' || c == '\\')
        out += fmt::format("\\{:03o}", byte);
      else
        out += c;
    }
    return out + '"';
  }

  std::uint64_t page_bytes_ = 4096;
  std::string text_;
};

}  // namespace physmem
