// SPDX-License-Identifier: MIT
#include "viewer/options.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "program/memory_option.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/same_file.h"

namespace physmem::view {
namespace {

constexpr std::uint64_t kMinHistory = 1000;
constexpr std::uint64_t kMaxHistory = 100'000'000;  // 6.4 GB

constexpr ProgramText kProgram{
    kProgramName,
    "show physical memory in a browser: moving pages, or a snapshot",
    R"(  physmem-view [OPTION]... FILE          a snapshot or a trace
  physmem-view [OPTION]... SNAPSHOT...   several snapshots, as a film
  physmem-view [OPTION]... --udp PORT | --source NAME | --replay FILE
  physmem-view --html OUT.html SNAPSHOT...
  physmem-view [OPTION]... --metrics     GET /metrics, for Prometheus
)",
    R"(Prints an address and serves the page there until Ctrl-C. The token in the
address is required for access. A snapshot may be text or compact. FILE may be
compressed with gzip, zstd, xz or lz4; - is standard input.
)",
    R"(EXAMPLES
  physmem-view --replay storm.trace.zst --speed 10   a trace, ten times as fast
  sudo physmem-view --source=auto --open             this machine, live
  physmem-view --udp 9091          events that pftraced sends to this machine
                                   (from other machines: --udp 0.0.0.0:9091)
  physmem-view snap.txt.zst        which process owns each page frame?
  physmem-view series.txt          the snapshots of a series, as a film
  sudo physmem-view --metrics --port 9256            metrics for Prometheus
  sudo physmem-view --metrics --listen 0.0.0.0 --port 9256 --token-file FILE
                                   the same for other machines
  physmem-collect | physmem-view --html memory.html -   the same, as a file
  ssh -L 8080:127.0.0.1:8080 HOST physmem-view --port 8080 snap.txt

EXIT STATUS
  0 done (also after Ctrl-C)   2 wrong usage   3 bad or truncated input
  4 cannot read, write or listen, --max-memory is too small, or physmem-collect
    has ended (--metrics)
  5 --html: done, but data was missing (see standard error)
)",
    "physmem-analyze(1), physmem-trace(1)"};

Error usage(const std::string& text) {
  return usage_error(kProgram.name, text);
}

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  int inputs = 0;  ///< number of inputs
  bool has_metrics_options = false;
};

template <Options::Input kInput>
std::string show(ParsedOptions& options, const char* value) {
  options.input = kInput;
  ++options.inputs;
  (kInput == Options::Input::kTracer ? options.source : options.file) = value;
  return {};
}

std::string set_metrics(ParsedOptions& options, const char* /*value*/) {
  options.input = Options::Input::kMetrics;
  ++options.inputs;
  return {};
}

std::string set_metrics_interval(ParsedOptions& options, const char* value) {
  constexpr std::uint64_t kMinMs = 100;
  options.has_metrics_options = true;
  return set_interval<kMinMs, &Options::interval_ns>(options, value);
}

std::string add_ram(ParsedOptions& options, const char* /*value*/) {
  options.has_metrics_options = true;
  options.with_ram = true;
  return {};
}

/// A port alone is a port of 127.0.0.1.
std::string set_udp(ParsedOptions& options, const char* value) {
  const std::string_view text = value;
  const bool is_port =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  const auto port = number_of<std::uint16_t>(text);
  if (is_port && (!port || *port == 0)) return "a port from 1 to 65535, or ADDRESS:PORT";
  options.input = Options::Input::kUdp;
  ++options.inputs;
  options.udp = (is_port ? "127.0.0.1:" : "") + std::string(text);
  return {};
}

std::string set_history(ParsedOptions& options, const char* value) {
  const auto events = number_of<std::uint64_t>(value);
  if (!events || *events < kMinHistory || *events > kMaxHistory)
    return "a number from 1000 to 100000000";
  options.history = *events;
  return {};
}

std::string set_port(ParsedOptions& options, const char* value) {
  const auto port = number_of<std::uint16_t>(value);
  if (!port) return "a number up to 65535";
  options.port = *port;
  return {};
}

std::string add_host(ParsedOptions& options, const char* value) {
  if (*value == '\0') return "a name that browsers use for this server";
  options.hosts.emplace_back(value);
  return {};
}

std::string set_token_file(ParsedOptions& options, const char* value) {
  if (*value == '\0') return "a file with a token";
  options.token_file = value;
  return {};
}

std::string set_html(ParsedOptions& options, const char* value) {
  if (*value == '\0') return "a file to write, or - for standard output";
  options.html = value;
  return {};
}

const std::vector<OptionRow<ParsedOptions>> kInputOptions{
    {{0, "udp", "[ADDRESS:]PORT",
      "receive events from a pftraced on this or another machine (its default port is 9091; "
      "without ADDRESS: 127.0.0.1)"},
     set_udp},
    {{0, "server", "ADDRESS[:PORT]", "with --udp: accept datagrams from this pftraced only",
      "the sender of the first configuration"},
     set_text<&Options::udp_server>},
    {{0, "source", "NAME",
      "trace this machine: kmod, bpf, or auto for the first available; requires root"},
     show<Options::Input::kTracer>},
    {{0, "replay", "FILE", "replay a trace recorded by physmem-trace"},
     show<Options::Input::kReplay>},
    {{0, "metrics", nullptr,
      "no page: collect this machine at intervals, and serve the last metrics at /metrics. Runs "
      "physmem-collect --metrics"},
     set_metrics}};

const std::vector<OptionRow<ParsedOptions>> kMetricsOptions{
    {{0, "interval", "TIME", "collect every TIME, from start to start", "1m", "30s"},
     set_metrics_interval},
    {{0, "ram", nullptr, "also the classes of the whole of RAM"}, add_ram}};

const std::vector<OptionRow<ParsedOptions>> kTraceOptions{
    {{0, "speed", "X", "with a file: X times the original speed; can be changed on the page", "1",
      "10"},
     set_speed<SpeedLimit::kNoMax, &Options::speed>},
    {{0, "history", "EVENTS", "number of events to keep, 64 bytes each", "1000000"}, set_history},
    {{0, "follow", nullptr, "show the block with most activity; can be changed on the page"},
     set_true<&Options::follows>},
    {{0, "no-owners", nullptr, "do not infer owners of swap-outs from the last owner of the frame"},
     set_false<&Options::keep_owners>}};

const std::vector<OptionRow<ParsedOptions>> kAccessOptions{
    {{0, "port", "N", "port of the page", "0, any free port"}, set_port},
    {{0, "listen", "ADDRESS",
      "accept connections to this address. The token is sent over the network unencrypted",
      "127.0.0.1, this machine only", "0.0.0.0"},
     set_text<&Options::listen>},
    {{0, "host", "NAME",
      "accept NAME as this server's host name, in addition to numeric addresses and localhost "
      "(may be repeated)"},
     add_host},
    {{0, "token-file", "FILE",
      "require the token in this file, which is not printed, instead of a new one at every start; "
      "with --metrics also of clients on this machine"},
     set_token_file}};

const std::vector<OptionRow<ParsedOptions>> kOtherOptions{
    {{0, "open", nullptr, "start a browser if there is a display"},
     set_true<&Options::opens_browser>},
    {{0, "html", "FILE",
      "write the snapshots and the page to one file, only if complete, and exit"},
     set_html},
    {kMaxMemoryOption, set_memory<&Options::max_memory>},
    {kAllowMissingOption, allow_missing<ParsedOptions>},
    {{0, "keep-going", nullptr,
      "drop malformed lines of a snapshot or a trace and report their number, instead of stopping "
      "at the first one"},
     set_true<&Options::keep_going>}};

const OptionTable<ParsedOptions> kTable(kProgram,
                                        {{"WHAT TO SHOW (one of these, or FILE)", kInputOptions},
                                         {"TRACES", kTraceOptions},
                                         {"METRICS", kMetricsOptions},
                                         {"ACCESS", kAccessOptions},
                                         {"OTHER", kOtherOptions}});

bool is_read(const Options& options, const std::string& output) {
  return is_same_file(options.file, output) ||
         std::any_of(options.later_files.begin(), options.later_files.end(),
                     [&output](const std::string& file) { return is_same_file(file, output); });
}

/// Checks for conflicting options.
Status check(const ParsedOptions& options) {
  const bool is_file = options.input == Options::Input::kFile,
             is_replay = options.input == Options::Input::kReplay;
  if (!options.html.empty() && (options.inputs != 1 || !is_file))
    return usage(
        "--html: expected snapshots and no other input: physmem-view --html OUT.html SNAPSHOT...");
  if (!options.html.empty() && is_read(options, options.html))
    return usage("--html: found \"" + options.html +
                 "\", which is the snapshot to read, expected another file");
  if (options.inputs != 1)
    return usage("found " +
                 (options.inputs == 0 ? "no input" : std::to_string(options.inputs) + " inputs") +
                 ", expected one: FILE, --udp, --source, --replay or --metrics");
  if (options.has_metrics_options && options.input != Options::Input::kMetrics)
    return usage(requires_option("--interval and --ram", "--metrics"));
  if (options.opens_browser && options.input == Options::Input::kMetrics)
    return usage(conflicts_with("--metrics", "--open"));
  if (!options.udp_server.empty() && options.input != Options::Input::kUdp)
    return usage(requires_option("--server", "--udp"));
  if (options.speed && !is_file && !is_replay)
    return usage(requires_option("--speed", "FILE or --replay"));
  return {};
}

Result<Options> finished(ParsedOptions options, const std::vector<std::string>& operands) {
  if (!operands.empty()) {
    show<Options::Input::kFile>(options, operands.front().c_str());
    options.later_files.assign(operands.begin() + 1, operands.end());
  }
  if (Status status = check(options); !status) return status.error();
  return static_cast<Options&&>(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::view
