// SPDX-License-Identifier: MIT
// Reads the text of M: entries with one scanner, which predicts the next entry, and entry by entry
// with new scanners, which have nothing to predict from. Both give the same numbers, or the same
// error at the same position, with each instruction set that this CPU supports.
#include <cstdint>
#include <string>

#include "analyzer/parse/mapping_scanner.h"
#include "analyzer/parse/window.h"
#include "tests/fuzz/check.h"

namespace physmem {
namespace {

using Stop = MappingScanner::Stop;

/// The text with readable margins, filled with bytes that look like more of it.
class Framed {
 public:
  explicit Framed(std::string_view text)
      : buffer_(std::string(Window::kMargin, '7') + std::string(text) +
                std::string(Window::kMargin, '7')),
        size_(text.size()) {}
  std::string_view text() const { return std::string_view(buffer_).substr(Window::kMargin, size_); }

 private:
  std::string buffer_;
  std::size_t size_;
};

/// Reads the entry at `text` alone and returns whether it is `page`.
bool is_same_alone(std::string_view text, const PageRun& page) {
  const Framed framed(text.substr(0, text.find('|') + 1));
  std::string_view alone = framed.text();
  MappingScanner scanner;
  PageBatch one;
  if (scanner.scan(alone, true, one) != Stop::kLineEnd || one.size != 1) return false;
  const PageRun& run = one.run[0];
  return run.pages == 1 && run.va == page.va && run.value == page.value &&
         run.count == page.count && run.flags == page.flags;
}

void check(std::string_view input, const EntryReader& way) {
  const Framed framed(input);
  std::string_view text = framed.text();
  MappingScanner scanner(way);
  PageBatch batch;
  while (true) {
    batch.clear();
    const Stop stop = scanner.scan(text, true, batch);
    std::uint64_t i = 0;
    for_each_page(batch.runs(), 4096, [&](const PageRun& page) {
      const char* const at = scanner.entry(i++);
      PHYSMEM_CHECK(is_same_alone({at, static_cast<std::size_t>(text.data() - at)}, page));
    });
    PHYSMEM_CHECK(stop != Stop::kNeedMore);
    if (stop == Stop::kBatchFull) continue;
    if (stop == Stop::kLineEnd) PHYSMEM_CHECK(text.empty() || text.front() == '\n');
    if (stop != Stop::kFlaw) return;
    const Framed rest(text);
    std::string_view flawed = rest.text();
    MappingScanner fresh;
    batch.clear();
    PHYSMEM_CHECK(fresh.scan(flawed, true, batch) == Stop::kFlaw && batch.size == 0);
    PHYSMEM_CHECK(fresh.flaw().column == scanner.flaw().column &&
                  fresh.flaw().text == scanner.flaw().text);
    return;
  }
}

}  // namespace
}  // namespace physmem

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const physmem::EntryReader& way : physmem::entry_readers())
    physmem::check({reinterpret_cast<const char*>(data), size}, way);
  return 0;
}
