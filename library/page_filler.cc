// SPDX-License-Identifier: MIT
#include "library/page_filler.h"

#include <algorithm>
#include <utility>

namespace physmem {

BatchPool::BatchPool(std::size_t rows, bool has_pages) : rows_(rows), has_pages_(has_pages) {
  if (!has_pages) ones_.assign(rows, 1);
}

std::unique_ptr<std::uint64_t[]> BatchPool::take() {
  const std::size_t columns = has_pages_ ? kColumns : kPages;
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::make_unique_for_overwrite<std::uint64_t[]>(rows_ * columns);
  auto memory = std::move(spare_.back());
  spare_.pop_back();
  return memory;
}

void BatchPool::give_back(std::unique_ptr<std::uint64_t[]> memory) {
  const std::lock_guard lock(mutex_);
  if (spare_.size() < kMaxSpare) spare_.push_back(std::move(memory));
}

PageReader::Batch BatchPool::batch(std::unique_ptr<std::uint64_t[]> memory, std::size_t used) {
  struct Held {
    Held(std::shared_ptr<BatchPool> of, std::unique_ptr<std::uint64_t[]> values)
        : pool(std::move(of)), memory(std::move(values)) {}
    ~Held() { pool->give_back(std::move(memory)); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

    std::shared_ptr<BatchPool> pool;
    std::unique_ptr<std::uint64_t[]> memory;
    PageBatchColumns columns;
  };
  const auto held = std::make_shared<Held>(shared_from_this(), std::move(memory));
  const auto column = [&](Column which) {
    return std::span<const std::uint64_t>(held->memory.get() + which * rows_, used);
  };
  held->columns = {column(kPid),
                   column(kArea),
                   column(kAddress),
                   column(kPfn),
                   column(kCount),
                   column(kFlags),
                   has_pages_ ? column(kPages) : std::span<const std::uint64_t>(ones_).first(used)};
  return {held, &held->columns};
}

void BatchQueue::put(PageReader::Batch batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_closed_ || ready_.size() < kMaxReady; });
  if (is_closed_) throw Closed();
  ready_.push_back(std::move(batch));
  changed_.notify_all();
}

void BatchQueue::check() {
  const std::lock_guard lock(mutex_);
  if (is_closed_) throw Closed();
}

void BatchQueue::end(std::exception_ptr error) {
  const std::lock_guard lock(mutex_);
  error_ = std::move(error);
  has_ended_ = true;
  changed_.notify_all();
}

PageReader::Batch BatchQueue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_ended_ || !ready_.empty(); });
  if (ready_.empty()) {
    if (error_) std::rethrow_exception(error_);
    return nullptr;
  }
  PageReader::Batch batch = std::move(ready_.front());
  ready_.pop_front();
  changed_.notify_all();
  return batch;
}

void BatchQueue::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  changed_.notify_all();
}

void PageFiller::on_header(const Header& header) {
  header_ = header;
}

void PageFiller::on_pages(const Process& process, const Area&, std::span<const PageRun> runs) {
  const std::uint64_t pid = process.pid();
  for (const PageRun& run : runs) {
    if (pool_->has_pages())
      add_run(pid, run);
    else
      add_pages(pid, run);
  }
}

/// The reader of the file may divide a run, at places that depend on the form of the file. This
/// function joins its parts.
void PageFiller::add_run(std::uint64_t pid, const PageRun& run) {
  const std::uint64_t page = header_.page_size.bytes;
  if (used_ != 0) {
    const std::size_t last = used_ - 1;
    const auto of_last = [&](BatchPool::Column which) -> std::uint64_t& {
      return memory_[which * pool_->rows() + last];
    };
    const std::uint64_t pages = of_last(BatchPool::kPages);
    if (of_last(BatchPool::kArea) == area_ &&
        of_last(BatchPool::kAddress) + pages * page == run.va &&
        of_last(BatchPool::kPfn) + pages == header_.frame(run.value) &&
        of_last(BatchPool::kCount) == run.count && of_last(BatchPool::kFlags) == run.flags) {
      of_last(BatchPool::kPages) += run.pages;
      return;
    }
  }
  put(pid, run, 1);
}

void PageFiller::add_pages(std::uint64_t pid, const PageRun& run) {
  PageRun rest = run;
  while (rest.pages != 0) {
    if (used_ == pool_->rows()) flush();
    const std::uint64_t n = std::min<std::uint64_t>(rest.pages, pool_->rows() - used_);
    put(pid, rest, n);
    rest.va += n * header_.page_size.bytes;
    rest.value += n * header_.page_size.bytes;
    rest.pages -= n;
  }
}

/// Adds the first `rows` pages of a run as rows, or with has_pages() the run as one row. A full
/// batch is passed on only when another row comes, because that row may continue its last run.
void PageFiller::put(std::uint64_t pid, const PageRun& run, std::size_t rows) {
  if (used_ == pool_->rows()) flush();
  if (!memory_) memory_ = pool_->take();
  const auto column = [this](BatchPool::Column which) {
    return memory_.get() + which * pool_->rows() + used_;
  };
  std::fill_n(column(BatchPool::kPid), rows, pid);
  std::fill_n(column(BatchPool::kArea), rows, area_);
  std::fill_n(column(BatchPool::kCount), rows, run.count);
  std::fill_n(column(BatchPool::kFlags), rows, run.flags);
  std::uint64_t* const address = column(BatchPool::kAddress);
  std::uint64_t* const pfn = column(BatchPool::kPfn);
  const std::uint64_t page = header_.page_size.bytes;
  const std::uint64_t mask = header_.phys_mask;
  const unsigned shift = header_.page_size.shift();
  for (std::size_t i = 0; i < rows; ++i) {
    address[i] = run.va + i * page;
    pfn[i] = ((run.value + i * page) & mask) >> shift;
  }
  if (pool_->has_pages()) *column(BatchPool::kPages) = run.pages;
  used_ += rows;
}

void PageFiller::flush() {
  if (used_ != 0) queue_.put(pool_->batch(std::move(memory_), std::exchange(used_, 0)));
}

}  // namespace physmem
