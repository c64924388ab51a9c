// SPDX-License-Identifier: MIT
// The bytes determine the names and numbers of each record. The reader must return what the emitter
// wrote.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "analyzer/parse/snapshot_reader.h"
#include "formats/emit/emit.h"
#include "tests/emitted_text.h"
#include "tests/fuzz/check.h"

namespace physmem {
namespace {

/// Takes values from the front of the input, and zeros after its end.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::size_t n = std::min<std::size_t>(left_, sizeof value);
    if (n != 0) std::memcpy(&value, data_, n);
    skip(n);
    return value;
  }
  std::string text() {
    const std::size_t n = std::min<std::size_t>(left_, number() % 64);
    std::string text(reinterpret_cast<const char*>(data_), std::min(n, left_));
    skip(text.size());
    return text;
  }

 private:
  void skip(std::size_t n) {
    data_ += n;
    left_ -= n;
  }
  const std::uint8_t* data_;
  std::size_t left_;
};

struct Facts {
  std::string comm, cgroup, unit, path;
  pm_task task{};
  pm_vma vma{};
  pm_page page{};
  pm_swap swap{};
  pm_zone zone{};
  pm_ram_owner owner{};
  pm_ram_run run{};
  std::uint64_t excluded = 0;
};

Facts choose(Choices& choices) {
  Facts f;
  f.comm = choices.text();
  f.cgroup = choices.text();
  f.unit = choices.text();
  f.path = choices.text();
  if (f.unit == "NULL") f.unit.clear();  // NULL is written if there is no unit
  for (__u64* number :
       {&f.task.pid,         &f.task.mm,         &f.task.cpu,      &f.task.min_flt,
        &f.task.stime,       &f.task.start_time, &f.task.uid,      &f.task.group_min_flt,
        &f.task.group_stime, &f.vma.start,       &f.vma.prot,      &f.vma.flags,
        &f.vma.offset,       &f.vma.inode,       &f.vma.raw_flags, &f.page.pte,
        &f.page.count,       &f.page.flags,      &f.swap.type,     &f.swap.offset,
        &f.zone.first_pfn,   &f.zone.free,       &f.owner.inode,   &f.owner.links,
        &f.run.first_pfn,    &f.run.flags,       &f.run.count,     &f.run.place})
    *number = choices.number();
  f.task.is_leader = (f.task.pid & 1) != 0;
  f.vma.has_raw_flags = (f.vma.prot & 1) != 0;
  f.vma.dev_major = static_cast<__u32>(choices.number());
  f.vma.dev_minor = static_cast<__u32>(choices.number());
  f.excluded = choices.number();
  f.zone.name = "Normal";
  f.owner.kind = PM_OWNER_FILE;
  f.owner.id = 1;
  f.owner.dev_major = f.vma.dev_major;
  f.run.first_pfn %= kMaxFrames;
  f.run.pages = 1;
  f.run.class_ = static_cast<pm_ram_class>(f.run.flags % PM_RAM_CLASS_COUNT);
  f.run.owner = f.run.count & 1;
  f.vma.start &= 0xFFFFFFFFFFFF0000;
  f.vma.start = std::min<__u64>(f.vma.start, 0xFFFFFFFFFFFE0000);
  f.vma.last = f.vma.start + 0x1FFF;
  f.vma.resident = 0x1000;
  f.page.va = f.vma.start;
  f.swap.va = f.vma.start + 0x1000;
  return f;
}

std::string write(Facts& f) {
  f.task.comm = text_of(f.comm);
  f.task.cgroup = text_of(f.cgroup);
  f.vma.unit = text_of(f.unit);
  f.owner.name = text_of(f.path);
  f.owner.file_system = text_of(f.comm);
  pm_header header{};
  header.page_size = 4096;
  header.hz = 100;
  const pm_page_counts counts{1, 0, 0, f.page.count == 1 ? 1u : 0u, f.page.count > 1 ? 1u : 0u,
                              1, 0};
  const pm_end end{1, 1, 1, 1, f.excluded};
  return emitted_by([&](pm_out* out) {
    pm_emit_header(out, &header);
    pm_emit_task(out, &f.task);
    pm_emit_vma(out, &f.vma);
    pm_emit_page_counts(out, &counts);
    pm_emit_pages_begin(out);
    pm_emit_pages(out, &f.page, 1);
    pm_emit_pages_end(out);
    pm_emit_swapped_begin(out);
    pm_emit_swapped(out, &f.swap, 1);
    pm_emit_swapped_end(out);
    pm_emit_zone(out, &f.zone);
    pm_ram_writer ram;
    pm_ram_begin(&ram, out);
    pm_ram_put_owner(&ram, &f.owner);
    pm_ram_put_run(&ram, &f.run);
    pm_ram_end(&ram);
    pm_emit_end(out, &end);
  });
}

class Expectation : public Events {
 public:
  explicit Expectation(const Facts& facts) : f_(facts) {}
  void on_task(Task&& t) override {
    PHYSMEM_CHECK(t.comm == f_.comm && t.pid == f_.task.pid && t.mm == f_.task.mm &&
                  t.cpu == f_.task.cpu);
    PHYSMEM_CHECK(t.min_flt == f_.task.min_flt && t.stime == f_.task.stime);
    PHYSMEM_CHECK(t.identity && t.identity->start_time == f_.task.start_time &&
                  t.identity->uid == f_.task.uid);
    PHYSMEM_CHECK(t.group.has_value() == f_.task.is_leader);
    PHYSMEM_CHECK(!t.group ||
                  (t.group->cgroup == f_.cgroup && t.group->stime == f_.task.group_stime));
  }
  void on_vma(Vma&& v) override {
    PHYSMEM_CHECK(v.unit == f_.unit && v.start == f_.vma.start && v.last == f_.vma.last &&
                  v.flags == f_.vma.flags);
    PHYSMEM_CHECK(v.prot == f_.vma.prot && v.offset == f_.vma.offset && v.inode == f_.vma.inode);
    PHYSMEM_CHECK(v.device == (std::uint64_t{f_.vma.dev_major} << 32 | f_.vma.dev_minor));
    PHYSMEM_CHECK(v.raw_flags.has_value() == f_.vma.has_raw_flags &&
                  (!v.raw_flags || *v.raw_flags == f_.vma.raw_flags));
  }
  void on_pages(std::span<const PageRun> runs, const PageSums& /*sums*/) override {
    PHYSMEM_CHECK(runs.size() == 1 && runs[0].pages == 1 && runs[0].va == f_.page.va &&
                  runs[0].value == f_.page.pte);
    PHYSMEM_CHECK(runs[0].count == f_.page.count && runs[0].flags == f_.page.flags);
  }
  void on_swapped(std::span<const SwapEntry> s) override {
    PHYSMEM_CHECK(s.size() == 1 && s[0].va == f_.swap.va && s[0].type == f_.swap.type &&
                  s[0].slot == f_.swap.offset);
  }
  void on_zone(const Zone& z) override {
    PHYSMEM_CHECK(z.first_pfn == f_.zone.first_pfn && z.free == f_.zone.free);
  }
  void on_owner(RamOwner&& o) override {
    PHYSMEM_CHECK(o.id == 1 && o.kind == RamOwner::Kind::kFile && o.name == f_.path);
    PHYSMEM_CHECK(o.file_system == f_.comm && o.inode == f_.owner.inode);
    PHYSMEM_CHECK(o.links == f_.owner.links && o.build_id.empty());
  }
  void on_ram(const RamRun& r) override {
    PHYSMEM_CHECK(r.first_pfn == f_.run.first_pfn && r.pages == 1 && r.use == f_.run.class_);
    PHYSMEM_CHECK(r.flags == f_.run.flags && r.count == f_.run.count);
    PHYSMEM_CHECK(r.owner == f_.run.owner && r.place == f_.run.place);
  }
  void on_end(const SnapshotEnd& end) override { PHYSMEM_CHECK(end.excluded == f_.excluded); }

 private:
  const Facts& f_;
};

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  physmem::Choices choices(data, size);
  physmem::Facts facts = physmem::choose(choices);
  const std::string text = physmem::write(facts);
  const auto source = physmem::text_source(text);
  physmem::SnapshotReader reader(*source, "f", {});
  physmem::Expectation events(facts);
  const auto found = reader.next(events);
  PHYSMEM_CHECK(found && *found);
  return 0;
}
