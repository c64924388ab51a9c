// SPDX-License-Identifier: MIT
#include "collector-proc/ram/ram_walk.h"

#include <string>

#include "formats/emit/flags.h"

namespace physmem::collect {
namespace {

constexpr std::uint64_t kWrittenFlags = PM_PAGE_STABLE_MASK & ~PM_RAM_FLAGS_LEFT_OUT;

}  // namespace

RamWalk::RamWalk(Sources sources, pm_out& out, std::uint64_t owners) : sources_(sources) {
  pm_ram_begin(&writer_, &out);
  writer_.owners = owners;
}

Status RamWalk::write(const std::vector<FrameSpan>& map, const GoOn& go_on) {
  std::uint64_t next = 0;
  for (const FrameSpan& span : map) {
    if (span.begin > next) write_class(next, span.begin - next, PM_RAM_HOLE);
    if (span.kind == FrameSpan::Kind::kOffline)
      write_class(span.begin, span.end - span.begin, PM_RAM_OFFLINE);
    else if (Status status = write_span(span, go_on); !status)
      return status;
    next = span.end;
  }
  pm_ram_end(&writer_);
  return {};
}

Status RamWalk::write_span(const FrameSpan& span, const GoOn& go_on) {
  for (std::uint64_t first = span.begin; first < span.end;) {
    if (Status status = go_on(); !status) return status;
    const std::size_t frames = sources_.frames.read(first, span.end);
    write_block(first, frames, span.kind);
    first += frames;
    if (frames != 0) continue;
    write_class(first, span.end - first, PM_RAM_UNKNOWN);  // the kernel has no such frames
    break;
  }
  return {};
}

void RamWalk::write_block(std::uint64_t first, std::size_t frames, FrameSpan::Kind kind) {
  const auto flags = sources_.frames.flags();
  const auto counts = sources_.frames.counts();
  const auto cgroups = sources_.frames.cgroups();
  constexpr std::uint64_t kKept = kWrittenFlags | kReservedFrame;
  Facts last;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < frames; ++i) {
    Facts facts{flags[i] & kKept, counts[i], cgroups[i]};
    // Before Linux 6.12 only the head of a large page has a cgroup.
    if ((flags[i] & PM_PAGE_COMPOUND_TAIL) == 0)
      last_cgroup_ = facts.cgroup;
    else if (facts.cgroup == 0)
      facts.cgroup = last_cgroup_;
    if (facts == last && i != 0) continue;
    if (i != begin) write_run(first + begin, i - begin, last, kind);
    last = facts;
    begin = i;
  }
  if (frames != begin) write_run(first + begin, frames - begin, last, kind);
}

void RamWalk::write_run(std::uint64_t first, std::uint64_t pages, const Facts& facts,
                        FrameSpan::Kind kind) {
  pm_ram_run run{};
  run.first_pfn = first;
  run.pages = pages;
  run.class_ = class_of_frame(facts.flags, facts.cgroup, kind, sources_.rules);
  run.cgroup = facts.cgroup == 0 ? 0 : owner_of(facts.cgroup);
  // Linux 6.10 to 6.12 take a pointer of a slab for a mapping, and show ANON.
  run.flags = facts.flags & (run.class_ == PM_RAM_SLAB ? PM_PAGE_SLAB : PM_PAGE_STABLE_MASK);
  run.count = facts.count;
  run.place = run.class_ == PM_RAM_FREE ? PM_RAM_ORDER_UNKNOWN : 0;
  pm_ram_put_run(&writer_, &run);
}

void RamWalk::write_class(std::uint64_t first, std::uint64_t pages, pm_ram_class use) {
  pm_ram_run run{};
  run.first_pfn = first;
  run.pages = pages;
  run.class_ = use;
  pm_ram_put_run(&writer_, &run);
}

std::uint64_t RamWalk::owner_of(std::uint64_t cgroup) {
  const auto [found, is_new] = owners_.try_emplace(cgroup, writer_.owners + 1);
  if (!is_new) return found->second;
  const std::string path = sources_.cgroups.path(cgroup).value_or("[deleted]");
  pm_ram_owner owner{};
  owner.kind = PM_OWNER_CGROUP;
  owner.id = found->second;
  owner.number = cgroup;
  owner.name = {path.data(), path.size()};
  pm_ram_put_owner(&writer_, &owner);
  return owner.id;
}

}  // namespace physmem::collect
