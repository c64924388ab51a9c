// SPDX-License-Identifier: MIT
#include "collector-proc/snapshot_writer.h"

#include <algorithm>
#include <array>

namespace physmem::collect {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr std::size_t kCountersPerLine = 8;
constexpr std::size_t kBatch = 64;
/// Runs whose facts are prefetched while earlier runs are written.
constexpr std::size_t kRunsAhead = 16;

int hand_over(void* to, const char* text, size_t length) {
  return static_cast<Output*>(to)->write({text, length});
}

void write_resident(pm_out& out, const AreaPages& pages, FrameCache& frames,
                    std::uint64_t page_size) {
  std::array<pm_page, kBatch> batch;
  std::size_t used = 0;
  pm_emit_pages_begin(&out);
  for (std::size_t i = 0; i < pages.resident.size(); ++i) {
    const PageRun& run = pages.resident[i];
    if (i + kRunsAhead < pages.resident.size())
      frames.prefetch(pages.resident[i + kRunsAhead].pfn());
    for (std::uint64_t done = 0; done < run.pages();) {
      const auto n =
          static_cast<std::size_t>(std::min<std::uint64_t>(run.pages() - done, kBatch - used));
      frames.describe(run.pfn() + done, n, &batch[used]);
      for (std::size_t k = 0; k < n; ++k) {
        batch[used + k].va = (run.vpn() + done + k) * page_size;
        batch[used + k].pte = (run.pfn() + done + k) * page_size;
      }
      done += n;
      used += n;
      if (used < kBatch) continue;
      pm_emit_pages(&out, batch.data(), used);
      used = 0;
    }
  }
  pm_emit_pages(&out, batch.data(), used);
  pm_emit_pages_end(&out);
}

void write_swapped(pm_out& out, const AreaPages& pages, std::uint64_t page_size) {
  pm_emit_swapped_begin(&out);
  for (const SwapEntry& entry : pages.swapped) {
    const pm_swap swap{entry.vpn * page_size, entry.type(), entry.slot()};
    pm_emit_swapped(&out, &swap, 1);
  }
  pm_emit_swapped_end(&out);
}

}  // namespace

SnapshotWriter::SnapshotWriter()
    : buffer_(kBufferBytes), out_{buffer_.data(), buffer_.size(), 0, hand_over, nullptr, 0} {}

void SnapshotWriter::begin(Output& output) {
  out_.to = &output;
  out_.used = 0;
  out_.error = 0;
  totals_ = {};
}

void SnapshotWriter::header(const pm_header& header) {
  pm_emit_header(&out_, &header);
}

void SnapshotWriter::counters(const std::vector<Counter>& counters) {
  std::array<pm_counter, kCountersPerLine> line;
  for (std::size_t first = 0; first < counters.size(); first += kCountersPerLine) {
    const std::size_t n = std::min(kCountersPerLine, counters.size() - first);
    for (std::size_t i = 0; i < n; ++i)
      line[i] = {counters[first + i].name.c_str(), counters[first + i].value};
    pm_emit_counters(&out_, line.data(), n);
  }
}

void SnapshotWriter::task(const pm_task& task) {
  pm_emit_task(&out_, &task);
  ++totals_.tasks;
}

void SnapshotWriter::area(const pm_vma& vma, const pm_page_counts& counts) {
  pm_emit_vma(&out_, &vma);
  pm_emit_page_counts(&out_, &counts);
  ++totals_.areas;
  totals_.pages += counts.user;
  totals_.swapped += counts.swapped;
}

void SnapshotWriter::pages(const AreaPages& pages, FrameCache& frames, std::uint64_t page_size) {
  if (!pages.resident.empty()) write_resident(out_, pages, frames, page_size);
  if (!pages.swapped.empty()) write_swapped(out_, pages, page_size);
}

void SnapshotWriter::end(const pm_end& others) {
  totals_.tasks += others.tasks;
  totals_.areas += others.areas;
  totals_.pages += others.pages;
  totals_.swapped += others.swapped;
  pm_emit_end(&out_, &totals_);
  pm_out_flush(&out_);
}

}  // namespace physmem::collect
