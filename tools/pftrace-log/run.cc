// SPDX-License-Identifier: MIT
#include "tools/pftrace-log/run.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "paging/write/trace_writer.h"
#include "program/messages.h"
#include "program/printable.h"
#include "program/signals.h"
#include "tools/pftrace-log/log_lines.h"

namespace physmem::log {
namespace {

constexpr std::chrono::milliseconds kTimeout(200);  // maximum delay for a signal between two waits

class TextLog : public TraceWriter {
 public:
  explicit TextLog(std::ostream& out) : out_(out) {}
  void end() override {}
  void flush() override {}
  void on_header(const TraceHeader& header) override { wall_offset_ns_ = header.wall_offset_ns; }
  void on_event(const PagingEvent& event) override {
    out_ << event_line(event, wall_offset_ns_) << '\n';
  }
  void on_lost(const LostEvents& lost) override {
    out_ << lost_line(lost, wall_offset_ns_) << '\n';
  }

 private:
  std::ostream& out_;
  std::int64_t wall_offset_ns_ = 0;
};

/// Prints the origin of the events and passes everything on.
class Announced : public PagingSink {
 public:
  Announced(PagingSink& to, std::ostream& messages) : to_(to), messages_(messages) {}
  void on_header(const TraceHeader& header) override {
    report(messages_, kProgramName,
           "memory of " + std::to_string(header.memory_bytes / 1024) + " KiB in pages of " +
               std::to_string(header.page_size) + " bytes; " + header.arch + ", Linux " +
               header.kernel + ", events by " + header.source);
    to_.on_header(header);
  }
  void on_event(const PagingEvent& event) override { to_.on_event(event); }
  void on_lost(const LostEvents& lost) override { to_.on_lost(lost); }

 private:
  PagingSink& to_;
  std::ostream& messages_;
};

/// Prints totals of received and lost events. Returns the exit status.
Exit summarize(const UdpSource& source, bool until_end, std::ostream& messages) {
  const wire::Receiver::Counts& counts = source.receiver().counts();
  const std::uint64_t lost = counts.lost_events + counts.lost_by_source;
  messages << "pftrace-log: " << counts.events << " events in " << counts.datagrams
           << " datagrams of " << counts.sessions
           << (counts.sessions == 1 ? " session" : " sessions") << "; lost " << lost
           << " events: " << counts.lost_events << " in the network, in " << counts.lost_datagrams
           << " datagrams, of which " << source.without_room()
           << " did not fit into the socket buffer, and " << counts.lost_by_source
           << " before they were sent\n";
  if (counts.old + counts.malformed + counts.foreign + counts.early != 0)
    messages << "pftrace-log: ignored datagrams: " << counts.early << " before a configuration, "
             << counts.old << " repeated or overtaken, " << counts.foreign << " of other hosts, "
             << counts.malformed << " malformed"
             << (counts.malformed == 0
                     ? ""
                     : ", the last one: " + for_terminal(source.receiver().last_flaw()))
             << '\n';
  if (!source.receiver().has_configuration())
    report(messages, kProgramName, "no configuration arrived, so nothing was recorded");
  const bool is_cut =
      source.receiver().is_broken() || (until_end && !source.receiver().has_ended());
  if (is_cut && source.receiver().has_configuration())
    report(messages, kProgramName, source.trouble() + ": later events are missing");
  return lost != 0 || is_cut || !source.receiver().has_configuration() ? Exit::kDataMissing
                                                                       : Exit::kDone;
}

/// A closed pipe is not reported, because the reader of the lines may stop at any time.
Exit cannot_write(std::ostream& messages) {
  if (errno == EPIPE) return Exit::kIo;
  return report_error(
      messages, kProgramName,
      {Error::Kind::kIo, std::string("standard output: cannot write: ") + std::strerror(errno)});
}

}  // namespace

Exit run(const Options& options, std::ostream& out, std::ostream& messages) {
  Result<std::unique_ptr<UdpSource>> opened = UdpSource::open(options.udp);
  if (!opened) return report_error(messages, kProgramName, opened.error());
  UdpSource& source = **opened;
  catch_signals();
  const std::unique_ptr<TraceWriter> writer =
      options.form == Form::kTrace ? text_trace_writer(out) : std::make_unique<TextLog>(out);
  Announced sink(*writer, messages);
  if (::isatty(STDERR_FILENO) != 0)
    report(messages, kProgramName,
           "listening on " + source.endpoint().text() + ", waiting for a configuration");
  const auto has_ended = [&source] {
    return source.receiver().has_ended() ||
           (source.receiver().has_configuration() && source.silence() >= UdpSource::kMaxSilence);
  };
  while (!interrupted() && !(options.until_end && has_ended())) {
    const Result<EventSource::State> state = source.pump(sink, kTimeout);
    if (!state) return report_error(messages, kProgramName, state.error());
    writer->flush();
    out.flush();
    if (!out) return cannot_write(messages);
  }
  if (source.receiver().has_configuration()) writer->end();
  out.flush();
  if (!out) return cannot_write(messages);
  return summarize(source, options.until_end && !interrupted(), messages);
}

}  // namespace physmem::log
