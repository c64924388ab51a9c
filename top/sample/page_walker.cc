// SPDX-License-Identifier: MIT
#include "top/sample/page_walker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <exception>
#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/basic.h"
#include "collector-proc/machine.h"
#include "program/duration.h"
#include "program/signals.h"

namespace physmem::top {
namespace {

/// CPU time of this thread.
std::uint64_t thread_cpu_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kSecondNs +
         static_cast<std::uint64_t>(time.tv_nsec);
}

/// The walks give way to everything else.
void lower_priority() {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNice);
}

/// Finds the start time, which the events of a process have.
class StartTime : public Analysis {
 public:
  void on_task(const Task& task) override {
    if (task.identity) value = task.identity->start_time;
  }
  std::uint64_t value = 0;
};

}  // namespace

WalkedProcess ProcessWalker::walk(collect::Pid pid, bool with_details, std::stop_token stop) {
  Basic basic;
  StartTime start;
  std::optional<DetailsFold> details;
  std::vector<Analysis*> analyses{&basic, &start};
  if (with_details)
    for (Analysis* analysis : details.emplace().analyses()) analyses.push_back(analysis);
  Census census(std::move(analyses));
  WalkedProcess walked;
  walked.pid = pid;
  walked.read_at_ns = collect::uptime_ns();
  const collect::Access access = reader_.read(pid, census, std::move(stop));
  walked.start_time = start.value;
  walked.is_denied = access == collect::Access::kDenied;
  if (access != collect::Access::kRead || basic.rows().empty()) return walked;
  const BasicRow& row = basic.rows().front();
  const double page_kib = static_cast<double>(page_size_) / 1024;
  walked.sizes = {row.unique * page_size_ / 1024,
                  static_cast<std::uint64_t>(std::llround(row.share.pages() * page_kib)),
                  PaperColumns(row.physical).total() * page_size_ / 1024};
  if (!details) return walked;
  Details copy = details->details();
  copy.uptime_ns = walked.read_at_ns;
  walked.details = std::make_shared<const Details>(std::move(copy));
  return walked;
}

PageWalker::PageWalker(const collect::ProcTree& tree, std::uint64_t page_size)
    : walker_(tree, page_size) {
  const SignalsElsewhere blocked;  // signals wake the thread that waits for keys
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

PageWalker::~PageWalker() {
  thread_.request_stop();
}

bool PageWalker::is_idle() const {
  const std::lock_guard lock(mutex_);
  return !is_busy_;
}

void PageWalker::request(std::vector<collect::Pid> pids, std::optional<collect::Pid> detailed) {
  {
    const std::lock_guard lock(mutex_);
    pids_.insert(pids_.end(), pids.begin(), pids.end());
    if (detailed) detailed_ = detailed;
    is_busy_ = !pids_.empty() || detailed_;
  }
  changed_.notify_all();
}

void PageWalker::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !is_busy_; });
}

WalkedBatch PageWalker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, {});
}

void PageWalker::run(const std::stop_token& stop) {
  lower_priority();
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return is_busy_; })) {
    const auto pids = std::exchange(pids_, {});
    const auto detailed = std::exchange(detailed_, std::nullopt);
    lock.unlock();
    walk_all(pids, detailed, stop);
    lock.lock();
    is_busy_ = !pids_.empty() || detailed_;
    changed_.notify_all();
  }
}

void PageWalker::walk_all(const std::vector<collect::Pid>& pids,
                          std::optional<collect::Pid> detailed, const std::stop_token& stop) {
  std::uint64_t cpu_before = thread_cpu_ns();
  std::uint64_t pages_before = walker_.pages();
  const auto walk = [&](collect::Pid pid, bool with_details) {
    WalkedProcess walked = walker_.walk(pid, with_details, stop);
    const std::uint64_t cpu = thread_cpu_ns();
    deliver(std::move(walked), walker_.pages() - pages_before, cpu - cpu_before);
    pages_before = walker_.pages();
    cpu_before = cpu;
  };
  try {
    if (!walker_.begin()) return;
    if (detailed) walk(*detailed, true);
    for (const collect::Pid pid : pids) {
      if (stop.stop_requested() || interrupted()) break;
      if (pid != detailed) walk(pid, false);
    }
  } catch (const std::exception&) {
    // Out of memory: these processes remain unread, and the status line says so.
  }
  walker_.end();
  const std::lock_guard lock(mutex_);
  done_.cpu_ns += thread_cpu_ns() - cpu_before;
}

void PageWalker::deliver(WalkedProcess&& process, std::uint64_t pages, std::uint64_t cpu_ns) {
  const std::lock_guard lock(mutex_);
  done_.processes.push_back(std::move(process));
  done_.pages += pages;
  done_.cpu_ns += cpu_ns;
}

}  // namespace physmem::top
