// SPDX-License-Identifier: MIT
#include "viewer/run.h"

#include <algorithm>
#include <new>
#include <ostream>
#include <utility>
#include <vector>

#include "analyzer/parse/open_source.h"
#include "paging/source/open_source.h"
#include "paging/source/udp_source.h"
#include "program/memory_limit.h"
#include "program/messages.h"
#include "program/own_memory.h"
#include "viewer/live_run.h"
#include "viewer/metrics_run.h"
#include "viewer/opened_input.h"
#include "viewer/snapshot_run.h"

namespace physmem::view {
namespace {

std::string input_name(const std::string& file) {
  return file == "-" ? "standard input" : file;
}

Result<std::vector<NamedInput>> open_inputs(const Options& options) {
  std::vector<std::string> files{options.file};
  files.insert(files.end(), options.later_files.begin(), options.later_files.end());
  std::vector<NamedInput> inputs;
  for (const std::string& file : files) {
    auto bytes = open_source(file);
    if (!bytes) return bytes.error();
    inputs.push_back({input_name(file), std::move(*bytes)});
  }
  return inputs;
}

/// Decodes the files after the first.
Status look_into_later(std::vector<NamedInput>& inputs) {
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    auto input = look_into(std::move(inputs[i].bytes));
    if (!input) return input.error();
    inputs[i].bytes = std::move(input->bytes);
  }
  return {};
}

Exit show_file(const Serving& serving) {
  const Options& options = serving.options;
  auto inputs = open_inputs(options);
  if (!inputs) return report_error(serving.messages, kProgramName, inputs.error());
  // Files are parsed without root. --html regains its privileges to write its file, and does not
  // serve.
  Result<OpenPort> port = options.html.empty() ? open_port(options) : OpenPort{};
  if (!port) return report_error(serving.messages, kProgramName, port.error());
  auto input = look_into(std::move(inputs->front().bytes));
  if (!input) return report_error(serving.messages, kProgramName, input.error());
  const bool is_snapshot = !input->is_trace && options.input == Options::Input::kFile;
  if (is_snapshot && options.speed)
    return report_error(
        serving.messages, kProgramName,
        {Error::Kind::kUsage, "--speed: " + options.file + " is a snapshot, not a trace"});
  if (is_snapshot) {
    inputs->front().bytes = std::move(input->bytes);
    if (const Status status = look_into_later(*inputs); !status)
      return report_error(serving.messages, kProgramName, status.error());
    return show_snapshots(serving, std::move(*port), std::move(*inputs));
  }
  if (!options.later_files.empty())
    return report_error(
        serving.messages, kProgramName,
        {Error::Kind::kUsage, "found several files and the first, " + options.file +
                                  ", is not a snapshot; expected one trace or snapshots"});
  if (input->is_snapshot && options.input == Options::Input::kReplay)
    return report_error(serving.messages, kProgramName,
                        {Error::Kind::kBadInput, options.file +
                                                     ": this is a snapshot, expected a trace: "
                                                     "physmem-view " +
                                                     options.file + " shows it"});
  if (!options.html.empty())
    return report_error(
        serving.messages, kProgramName,
        {Error::Kind::kUsage, "--html: " + options.file + " is a trace, not a snapshot"});
  FileSource source(std::move(input->bytes), input_name(options.file),
                    {options.speed.value_or(1), options.keep_going});
  return show_replay(serving, std::move(*port), source);
}

Exit serve_source(const Serving& serving, EventSource& source) {
  Result<OpenPort> port = open_port(serving.options);
  if (!port) return report_error(serving.messages, kProgramName, port.error());
  return show_source(serving, std::move(*port), source);
}

Exit show_udp(const Serving& serving) {
  UdpOptions udp;
  udp.listen = serving.options.udp;
  if (!serving.options.udp_server.empty()) {
    const auto server = wire::Endpoint::parse(serving.options.udp_server, 0);
    if (!server) return report_error(serving.messages, kProgramName, server.error());
    udp.server = *server;
  }
  auto source = UdpSource::open(udp);
  if (!source) return report_error(serving.messages, kProgramName, source.error());
  return serve_source(serving, **source);
}

Exit show_tracer(const Serving& serving) {
  auto source = open_event_source(serving.options.source);
  if (!source) return report_error(serving.messages, kProgramName, source.error());
  // Its own page-ins would be part of the data shown, and delay it.
  for (const std::string& note : {(*source)->shortcomings(), lock_memory()})
    if (!note.empty()) report(serving.messages, kProgramName, note);
  return serve_source(serving, **source);
}

Exit show(const Serving& serving) {
  switch (serving.options.input) {
    case Options::Input::kUdp:
      return show_udp(serving);
    case Options::Input::kTracer:
      return show_tracer(serving);
    case Options::Input::kMetrics:
      return serve_metrics(serving);
    case Options::Input::kFile:
    case Options::Input::kReplay:
      break;
  }
  return show_file(serving);
}

std::string input_of(const Options& options) {
  switch (options.input) {
    case Options::Input::kUdp:
      return options.udp;
    case Options::Input::kTracer:
      return options.source;
    case Options::Input::kMetrics:
      return "metrics";
    case Options::Input::kFile:
    case Options::Input::kReplay:
      break;
  }
  return input_name(options.file);
}

}  // namespace

Exit run(const Options& options, const std::string& page, std::ostream& out,
         std::ostream& messages) {
  const Serving serving{options, page, out, messages};
  try {
    return show(serving);
  } catch (const std::bad_alloc&) {
    return report_error(
        messages, kProgramName,
        {Error::Kind::kIo, memory_refusal(input_of(options) + ": showing it", "allow more")});
  }
}

}  // namespace physmem::view
