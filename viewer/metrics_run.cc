// SPDX-License-Identifier: MIT
#include "viewer/metrics_run.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>
#include <ostream>
#include <utility>

#include "program/child_process.h"
#include "program/messages.h"
#include "viewer/metrics_feed.h"

namespace physmem::view {
namespace {

constexpr const char* kCollector = "physmem-collect";
constexpr std::uint64_t kNsOfMs = 1'000'000;

class MetricsRun {
 public:
  MetricsRun(const Serving& serving, ChildProcess collector)
      : serving_(serving), pid_(collector.pid), pipe_(io_, collector.pipe.release()) {}

  Exit operator()(OpenPort port) {
    const Exit served = serve(
        io_, serving_, std::move(port), nullptr, [this] { read(); }, [this] { pipe_.close(); },
        [this] { return feed_.text(); });
    // After a signal the collector ends by itself, when it finds its pipe closed.
    if (served != Exit::kDone || !has_ended_) return served;
    const ChildEnd end = wait_for(pid_);
    report(serving_.messages, kProgramName,
           end.signal != 0 ? "physmem-collect was ended by signal " + std::to_string(end.signal)
                           : "physmem-collect has ended");
    return end.status == 0 ? Exit::kIo : static_cast<Exit>(end.status);
  }

 private:
  void read() {
    pipe_.async_read_some(boost::asio::buffer(buffer_),
                          [this](const boost::system::error_code& error, std::size_t n) {
                            if (error) return on_end(error);
                            feed_.add({buffer_.data(), n});
                            read();
                          });
  }

  /// Without its collector the server ends, so that a service manager starts it again.
  void on_end(const boost::system::error_code& error) {
    if (error == boost::asio::error::operation_aborted) return;
    has_ended_ = true;
    ::raise(SIGTERM);
  }

  const Serving& serving_;
  pid_t pid_;
  MetricsFeed feed_;
  boost::asio::io_context io_;
  boost::asio::posix::stream_descriptor pipe_;
  std::array<char, 65536> buffer_{};
  bool has_ended_ = false;
};

}  // namespace

/// The collector starts before root is dropped.
Exit serve_metrics(const Serving& serving) {
  std::vector<std::string> arguments{
      kCollector, "--metrics=-",
      fmt::format("--interval={}ms", serving.options.interval_ns / kNsOfMs)};
  if (serving.options.with_ram) arguments.emplace_back("--ram");
  auto collector = start_child(sibling_program(kCollector), arguments, ChildPipe::kFromOutput);
  if (!collector)
    return report_error(serving.messages, kProgramName,
                        {Error::Kind::kIo, "--metrics: " + collector.error().text +
                                               "; it must be in the folder of physmem-view or in "
                                               "$PATH"});
  Result<OpenPort> port = open_port(serving.options);
  if (!port) return report_error(serving.messages, kProgramName, port.error());
  return MetricsRun(serving, std::move(*collector))(std::move(*port));
}

}  // namespace physmem::view
