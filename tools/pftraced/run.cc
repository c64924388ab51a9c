// SPDX-License-Identifier: MIT
#include "tools/pftraced/run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "paging/source/completion.h"
#include "paging/source/open_records.h"
#include "program/clock.h"
#include "program/own_memory.h"
#include "tools/pftraced/background.h"
#include "tools/pftraced/feed.h"
#include "tools/pftraced/messages.h"
#include "tools/pftraced/own_faults.h"
#include "tools/pftraced/udp_sender.h"

namespace physmem::daemon {
namespace {

constexpr std::size_t kMaxAtOnce = 1024;  // records per round
constexpr int kIdleMs =
    100;  // without events: a round, so that a late client has its configuration in 6.4 s
constexpr int kGatherMs = 2;  // with few events, waits for more to fill a datagram
constexpr int kReplayMs = 2;  // for a source that does not support polling
constexpr std::size_t kFew = 64;

/// A number that is unique to this run of the daemon.
std::uint64_t random_session() {
  std::uint64_t session = 0;
  if (::getrandom(&session, sizeof(session), GRND_NONBLOCK) != sizeof(session))
    session =
        static_cast<std::uint64_t>(::time(nullptr)) << 32 | static_cast<std::uint32_t>(::getpid());
  return session;
}

/// Signals as a descriptor for poll(), so that none is missed.
Result<UniqueFd> catch_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1}) sigaddset(&signals, signal);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
  UniqueFd descriptor(::signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!descriptor)
    return Error{Error::Kind::kIo, std::string("cannot catch signals: ") + std::strerror(errno)};
  return descriptor;
}

class Run {
 public:
  Run(const Options& options, Config config) : options_(options), config_(std::move(config)) {}

  /// Performs all startup steps that can fail, in the order of required privileges.
  Status prepare();
  /// Runs until a signal or the end of a replay.
  Status loop();
  void be_quiet() { messages_.use_syslog(); }
  const Messages& messages() const { return messages_; }
  void report() const;

 private:
  Status open_source();
  Status read_replayed_header();
  void note_header();
  Result<RecordSource::Taken> take();
  bool heeds_signal();
  void wait(std::size_t taken);

  const Options& options_;
  const Config config_;
  Messages messages_;
  UniqueFd pid_file_;
  UniqueFd signals_;
  std::unique_ptr<RecordSource> source_;
  std::unique_ptr<UdpSender> sender_;
  std::optional<Completion> completion_;  // absent if the events are from another machine
  std::optional<Feed> feed_;
  std::vector<pm_paging_record> records_;
  OwnFaults before_;
  bool is_over_ = false;
};

Status Run::open_source() {
  auto source = options_.replay.empty() ? open_records(config_.source)
                                        : open_replay(options_.replay, options_.speed);
  if (!source) return source.error();
  source_ = std::move(*source);
  if (!options_.replay.empty()) return {};
  completion_.emplace(source_->name(), system_clock().now_ns());
  feed_->set_header(completion_->header());
  return {};
}

/// The trace is parsed only after root was dropped. This reads the header; events wait.
Status Run::read_replayed_header() {
  if (options_.replay.empty()) return {};
  if (const Result<RecordSource::Taken> taken = source_->take({}); !taken) return taken.error();
  note_header();
  return {};
}

Status Run::prepare() {
  if (!options_.pid_file.empty()) {
    Result<UniqueFd> held = hold_pid_file(options_.pid_file);
    if (!held) return held.error();
    pid_file_ = std::move(*held);
  }
  Result<UniqueFd> signals = catch_signals();
  if (!signals) return signals.error();
  signals_ = std::move(*signals);
  auto sender = UdpSender::open(config_);
  if (!sender) return sender.error();
  sender_ = std::move(*sender);
  records_.resize(kMaxAtOnce);
  feed_.emplace(*sender_, config_, random_session(), static_cast<std::uint32_t>(::getpid()));
  lift_lock_limit();  // BPF maps count as locked memory before Linux 5.11
  if (Status status = open_source(); !status) return status;
  keep_freed_memory();
  if (const std::string problem = lock_memory(); !problem.empty()) messages_.report(problem);
  if (Status status = drop_privileges(config_.user); !status) return status;
  if (Status status = read_replayed_header(); !status) return status;
  before_ = OwnFaults::so_far();
  const std::string origin = options_.replay.empty() ? feed_->header().source : options_.replay;
  messages_.report("sends events of " + origin + " to " + config_.client.text());
  if (const std::string unseen = source_->shortcomings(); !unseen.empty()) messages_.report(unseen);
  return {};
}

void Run::note_header() {
  if (const std::optional<TraceHeader> header = source_->new_header()) feed_->set_header(*header);
}

/// Reads and completes a batch.
Result<RecordSource::Taken> Run::take() {
  Result<RecordSource::Taken> taken = source_->take(records_);
  if (!taken) return taken;
  note_header();
  const auto batch = std::span(records_).first(taken->count);
  if (completion_ && completion_->complete(batch, system_clock().now_ns()))
    feed_->set_header(completion_->header());
  return taken;
}

bool Run::heeds_signal() {
  signalfd_siginfo signal = {};
  if (::read(signals_.get(), &signal, sizeof(signal)) != sizeof(signal)) return false;
  if (signal.ssi_signo == SIGUSR1)
    report();
  else
    is_over_ = true;
  return true;
}

void Run::wait(std::size_t taken) {
  if (taken == records_.size()) return;  // more records are available
  std::array<pollfd, 2> waits{{{signals_.get(), POLLIN, 0}, {-1, POLLIN, 0}}};
  int timeout = kIdleMs;
  if (taken != 0 && taken < kFew)
    timeout = kGatherMs;
  else if (source_->descriptor() >= 0)
    waits[1].fd = source_->descriptor();
  else
    timeout = kReplayMs;
  ::poll(waits.data(), waits.size(), timeout);
}

Status Run::loop() {
  bool has_ended = false;
  while (!is_over_ && !has_ended) {
    const Result<RecordSource::Taken> taken = take();
    if (!taken) {
      feed_->end(wire::Kind::kBroken);
      return taken.error();
    }
    feed_->round(std::span(records_).first(taken->count));
    has_ended = taken->has_ended;
    if (!has_ended) wait(taken->count);
    while (heeds_signal()) {
    }
  }
  // Sends the events up to now.
  if (!has_ended)
    if (const Result<RecordSource::Taken> taken = take())
      feed_->round(std::span(records_).first(taken->count));
  feed_->end();
  return {};
}

void Run::report() const {
  const Feed::Counts& sent = feed_->counts();
  const UdpSender::Counts& sender = sender_->counts();
  const OwnFaults faults = OwnFaults::so_far() - before_;
  std::string text = "sent " + std::to_string(sent.events) + " events in " +
                     std::to_string(sent.datagrams) + " datagrams to " + config_.client.text() +
                     "; lost " + std::to_string(sent.lost) + " in the source, left out " +
                     std::to_string(sent.filtered) + " and " + std::to_string(sent.own) +
                     " of its own, unsent datagrams " + std::to_string(sender.unsent) +
                     ", refused " + std::to_string(sender.refused) +
                     "; own page faults since it was ready: major " + std::to_string(faults.major) +
                     ", minor " + std::to_string(faults.minor);
  if (sender.last_error != 0)
    text += std::string("; the last unsent one: ") + std::strerror(sender.last_error);
  messages_.report(text);
}

std::string whole_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> whole(::realpath(path.c_str(), nullptr), std::free);
  return whole ? whole.get() : path;
}

Exit work(Run& run) {
  const Status status = run.loop();
  run.report();
  return status ? Exit::kDone : run.messages().report_error(status.error());
}

}  // namespace

Exit run(const Options& given) {
  Result<Config> config = read_config(given.config);
  if (!config) return Messages().report_error(config.error());
  Options options = given;
  // The working directory will change.
  if (!options.replay.empty()) options.replay = whole_path(options.replay);
  if (!options.pid_file.empty()) options.pid_file = std::filesystem::absolute(options.pid_file);
  if (options.foreground) {
    Run run(options, std::move(*config));
    if (const Status status = run.prepare(); !status)
      return Messages().report_error(status.error());
    notify_service_manager("READY=1");
    return work(run);
  }
  Result<Background> background = Background::enter();
  if (!background) return Messages().report_error(background.error());
  Run run(options, std::move(*config));
  if (const Status status = run.prepare(); !status) {
    const Exit failure = Messages().report_error(status.error());
    background->report(failure);
    return failure;
  }
  run.be_quiet();
  background->report(Exit::kDone);
  return work(run);
}

}  // namespace physmem::daemon
