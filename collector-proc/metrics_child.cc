// SPDX-License-Identifier: MIT
#include "collector-proc/metrics_child.h"

#include <unistd.h>

#include <csignal>
#include <utility>

#include "program/child_process.h"
#include "program/signals.h"

namespace physmem::collect {
namespace {

constexpr const char* kAnalyzer = "physmem-analyze";

}  // namespace

class MetricsChild::SnapshotPipe final : public Output {
 public:
  SnapshotPipe(MetricsChild& child, int fd, bool is_piped_on)
      : child_(child),
        is_piped_on_(is_piped_on),
        stream_(stream_output(fd, "the pipe to physmem-analyze")) {}

  int write(std::string_view text) override { return stream_->write(text); }
  int mark_whole() override {
    has_snapshot_ = true;
    return stream_->mark_whole();
  }
  bool keep_whole() override {
    if (!stream_->keep_whole() || !has_snapshot_)
      child_.was_ended_ = ::kill(child_.pid_, SIGTERM) == 0;
    return true;
  }
  int finish() override { return stream_->finish(); }
  /// If the metrics go to standard output, its reader is the one that matters.
  int reader_fd() const override { return is_piped_on_ ? STDOUT_FILENO : stream_->reader_fd(); }
  std::string name() const override { return stream_->name(); }

 private:
  MetricsChild& child_;
  bool is_piped_on_;
  bool has_snapshot_ = false;
  std::unique_ptr<Output> stream_;
};

Result<std::unique_ptr<MetricsChild>> MetricsChild::start(const std::string& file) {
  Result<ChildProcess> started =
      start_child(sibling_program(kAnalyzer), {kAnalyzer, "--ask=metrics", "--output=" + file, "-"},
                  ChildPipe::kToInput);
  if (!started)
    return Error{started.error().kind,
                 "--metrics: " + started.error().text +
                     "; it must be in the folder of physmem-collect or in $PATH"};
  auto child = std::make_unique<MetricsChild>();
  child->pid_ = started->pid;
  child->output_ = std::make_unique<SnapshotPipe>(*child, started->pipe.release(), file == "-");
  return child;
}

Result<Exit> MetricsChild::end(const Result<Exit>& own) const {
  const ChildEnd end = wait_for(pid_);
  if (was_ended_ || (!own && !own.error().text.empty())) return own;
  // A service manager signals both.
  if (end.signal != 0 && !interrupted())
    return Error{Error::Kind::kIo,
                 "physmem-analyze was ended by signal " + std::to_string(end.signal)};
  const auto status = static_cast<Exit>(end.status);
  if (status == Exit::kDone || end.signal != 0) return own;
  if (status != Exit::kDataMissing) return status;
  return own && *own == Exit::kDone ? status : own;
}

}  // namespace physmem::collect
