// SPDX-License-Identifier: MIT
// Measures the hot paths separately: digits, entries, whole lines, and the emitter that wrote them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/parse/hex_digits.h"
#include "analyzer/parse/snapshot_reader.h"
#include "formats/emit/emit.h"
#include "formats/emit/flags.h"

namespace {

int append(void* to, const char* text, std::size_t size) {
  static_cast<std::string*>(to)->append(text, size);
  return 0;
}

std::vector<pm_page> pages(std::size_t n) {
  std::vector<pm_page> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] = {0x7F1200000000u + i * 4096, 0x1A2B3000u + i * 4096, 1 + i % 9,
              PM_PAGE_LRU | PM_PAGE_MMAP};
  return all;
}

std::string snapshot(const std::vector<pm_page>& all) {
  std::string text;
  std::vector<char> buffer(1 << 16);
  pm_out out{buffer.data(), buffer.size(), 0, append, &text, 0};
  pm_header header{};
  header.count = "mapcount";
  header.page_size = 4096;
  header.hz = 100;
  header.phys_mask = ~0xFFFu;
  pm_emit_header(&out, &header);
  pm_out_flush(&out);
  text += "T: a, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0\n";
  pm_vma vma{};
  vma.start = all.front().va;
  vma.last = all.back().va + 4095;
  vma.resident = all.size() * 4096;
  pm_emit_vma(&out, &vma);
  const auto single = static_cast<std::uint64_t>(
      std::count_if(all.begin(), all.end(), [](const pm_page& page) { return page.count == 1; }));
  const pm_page_counts counts{all.size(), 0, 0, single, all.size() - single, 0, 0};
  pm_emit_page_counts(&out, &counts);
  pm_emit_pages_begin(&out);
  pm_emit_pages(&out, all.data(), all.size());
  pm_emit_pages_end(&out);
  const pm_end end{1, 1, all.size(), 0, 0};
  pm_emit_end(&out, &end);
  pm_out_flush(&out);
  return text;
}

void decode(benchmark::State& state) {
  const std::string text = "................7F12DEADB000";
  bool valid = true;
  for (auto _ : state)
    benchmark::DoNotOptimize(physmem::decode_hex(text.data() + text.size(), 12, valid));
}
BENCHMARK(decode);

void emit_pages(benchmark::State& state) {
  const auto all = pages(4096);
  std::vector<char> buffer(1 << 20);
  pm_out out{buffer.data(),
             buffer.size(),
             0,
             [](void*, const char*, std::size_t) { return 0; },
             nullptr,
             0};
  for (auto _ : state) pm_emit_pages(&out, all.data(), all.size());
  state.SetItemsProcessed(state.iterations() * 4096);
}
BENCHMARK(emit_pages);

void read_snapshot(benchmark::State& state) {
  const std::string text = snapshot(pages(100000));
  for (auto _ : state) {
    const auto source = physmem::text_source(text);
    physmem::SnapshotReader reader(*source, "bench", {});
    physmem::Census census({});
    const auto read = reader.next(census);
    if (!read) state.SkipWithError(read.error().text.c_str());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetItemsProcessed(state.iterations() * 100000);
}
BENCHMARK(read_snapshot);

}  // namespace

BENCHMARK_MAIN();
