// SPDX-License-Identifier: MIT
#include "analyzer/parse/predecoded_runs.h"

#include "formats/compact/entry_text.h"

namespace physmem {
namespace {

PageRun page_run(const PredecodedRun& from) {
  const compact::Run& run = from.run;
  return {run.va, value_of(run, from.page_shift), run.pages, run.use.count, run.use.flags};
}

/// Moves the first page of a run to the batch, for runs that a batch cannot hold as one. Returns
/// the length of its entry as text.
std::uint64_t take_page(PredecodedRun& from, PageBatch& batch) {
  PageRun page = page_run(from);
  page.pages = 1;
  batch.add(page);
  const std::uint64_t bytes = entry_bytes(page);
  from.run.va += std::uint64_t{1} << from.page_shift;
  from.run.place += from.run.is_down ? ~std::uint64_t{0} : 1;
  --from.run.pages;
  from.bytes -= bytes;
  return bytes;
}

}  // namespace

std::size_t PredecodedRuns::room() {
  if (!is_requested_) return 0;
  const std::lock_guard lock(mutex_);
  return kMax - runs_.size();
}

void PredecodedRuns::put(const std::vector<PredecodedRun>& runs) {
  const std::lock_guard lock(mutex_);
  runs_.insert(runs_.end(), runs.begin(), runs.end());
}

std::uint64_t PredecodedRuns::take(std::uint64_t offset, PageBatch& batch) {
  const std::lock_guard lock(mutex_);
  while (!runs_.empty() && runs_.front().at < offset) runs_.pop_front();
  std::uint64_t bytes = 0;
  while (!runs_.empty() && runs_.front().at == offset && batch.room() != 0) {
    PredecodedRun& first = runs_.front();
    const bool is_run = !first.run.is_down && batch.kinds.page_bytes == std::uint64_t{1}
                                                                            << first.page_shift;
    if (is_run) batch.add(page_run(first));
    bytes += is_run ? first.bytes : take_page(first, batch);
    if (is_run || first.run.pages == 0) runs_.pop_front();
  }
  return bytes;
}

std::uint64_t PredecodedRuns::next() {
  const std::lock_guard lock(mutex_);
  return runs_.empty() ? UINT64_MAX : runs_.front().at;
}

std::uint64_t entry_bytes(const PageRun& page) {
  return compact::entry_bytes(page.va, page.value, page.count, page.flags);
}

}  // namespace physmem
