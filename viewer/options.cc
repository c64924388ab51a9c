// SPDX-License-Identifier: MIT
#include "viewer/options.h"

#include <string_view>
#include <utility>

#include "program/command_line.h"
#include "program/memory_limit.h"
#include "program/same_file.h"

namespace physmem::view {
namespace {

constexpr std::uint64_t kMinHistory = 1000;
constexpr std::uint64_t kMaxHistory = 100'000'000;  // 6.4 GB

constexpr const char* kHelp =
    R"(physmem-view: show physical memory in a browser: moving pages, or a snapshot

USAGE
  physmem-view [OPTION]... FILE          a snapshot or a trace (detected by its beginning)
  physmem-view [OPTION]... --udp PORT | --source NAME | --replay FILE
  physmem-view --html OUT.html SNAPSHOT

Prints an address and serves the page there until ^C. The token in the address is required for access. A snapshot may
be text or compact. FILE may be compressed with gzip, zstd, xz or lz4; - is standard input.

WHAT TO SHOW (one of these, or FILE)
      --udp [ADDRESS:]PORT       receive events from a pftraced on this or another machine (its default port is 9091;
                                 without ADDRESS: 127.0.0.1)
      --server ADDRESS[:PORT]    with --udp: accept datagrams from this pftraced only [default: the sender of the
                                 first configuration]
      --source NAME              trace this machine: kmod, bpf, or auto for the first available; requires root
      --replay FILE              replay a trace recorded by physmem-trace
TRACES
      --speed X                  with a file: X times the original speed [default: 1]; can be changed on the page
      --history EVENTS           number of events to keep, 64 bytes each [default: 1000000]
      --follow                   show the block with most activity; can be changed on the page
      --no-owners                do not infer owners of swap-outs from the last owner of the frame
ACCESS
      --port N                   [default: 0, any free port]
      --listen ADDRESS           accept connections to this address, such as 0.0.0.0 or ::. The token is sent over
                                 the network unencrypted [default: 127.0.0.1, this machine only]
      --host NAME                accept NAME as this server's host name, in addition to numeric addresses and
                                 localhost (may be repeated)
OTHER
      --open                     start a browser if there is a display
      --html FILE                write the snapshot and the page to one file, only if complete, and exit
      --max-memory SIZE          memory limit, such as 512M or 2G; requests beyond it are refused, and events beyond
                                 it are not kept [default: half of the RAM, or of the control group's limit]
      --keep-going               drop malformed lines of a snapshot or a trace and report their number, instead of
                                 stopping at the first one
  -h, --help                     show this help
      --version                  show version and copyright

EXAMPLES
  physmem-view --replay storm.trace.zst --speed 10      replay a trace, ten times as fast
  sudo physmem-view --source=auto --open                this machine, live
  physmem-view --udp 9091                               events that pftraced sends to this machine (from other
                                                        machines: --udp 0.0.0.0:9091)
  physmem-view snap.txt.zst                             which process owns each page frame?
  physmem-collect | physmem-view --html memory.html -   the same as a file to share
  ssh -L 8080:127.0.0.1:8080 HOST physmem-view --port 8080 snap.txt    on another machine, safely

EXIT STATUS
  0 done (^C too)   2 wrong usage   3 bad or truncated input
  4 cannot read, write or listen, or --max-memory is too small    5 --html: done, but data was missing (see standard error)
)";

enum LongOption {
  kUdp = 256,
  kServer,
  kSource,
  kReplay,
  kSpeed,
  kHistory,
  kFollow,
  kNoOwners,
  kPort,
  kListen,
  kHost,
  kOpen,
  kHtml,
  kMaxMemory,
  kKeepGoing
};

constexpr option kOptions[] = {
    {"udp", required_argument, nullptr, kUdp},
    {"server", required_argument, nullptr, kServer},
    {"source", required_argument, nullptr, kSource},
    {"replay", required_argument, nullptr, kReplay},
    {"speed", required_argument, nullptr, kSpeed},
    {"history", required_argument, nullptr, kHistory},
    {"follow", no_argument, nullptr, kFollow},
    {"no-owners", no_argument, nullptr, kNoOwners},
    {"port", required_argument, nullptr, kPort},
    {"listen", required_argument, nullptr, kListen},
    {"host", required_argument, nullptr, kHost},
    {"open", no_argument, nullptr, kOpen},
    {"html", required_argument, nullptr, kHtml},
    {"max-memory", required_argument, nullptr, kMaxMemory},
    {"keep-going", no_argument, nullptr, kKeepGoing},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, CommandLine::kVersion},
    {nullptr, 0, nullptr, 0},
};

constexpr CommandLine::Program kProgram{"physmem-view", kHelp, "h", kOptions};

Error usage(const std::string& text) {
  return CommandLine(kProgram).usage(text);
}

Error wrong(const char* option, std::string_view found, const char* expected) {
  return usage(std::string(option) + ": found \"" + std::string(found) + "\", expected " +
               expected);
}

/// The parsed options, before the check for conflicts.
struct ParsedOptions {
  Options options;
  int inputs = 0;  ///< number of inputs given
};

void show(Options::Input input, std::string& what, std::string value, ParsedOptions& wishes) {
  wishes.options.input = input;
  what = std::move(value);
  ++wishes.inputs;
}

Status set_speed(std::string_view text, Options& options) {
  options.speed = speed_of(text);
  if (!options.speed || *options.speed == 0)  // the page has no speed "max"
    return wrong("--speed", text, "a number above 0, at most 1000000");
  return {};
}

/// A port alone means this machine's loopback address.
Status set_udp(std::string_view text, ParsedOptions& wishes) {
  const bool is_port =
      !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  const auto port = number_of<std::uint16_t>(text);
  if (is_port && (!port || *port == 0))
    return wrong("--udp", text, "a port from 1 to 65535, or ADDRESS:PORT");
  show(Options::Input::kUdp, wishes.options.udp, (is_port ? "127.0.0.1:" : "") + std::string(text),
       wishes);
  return {};
}

Status set_history(std::string_view text, Options& options) {
  const auto events = number_of<std::uint64_t>(text);
  if (!events || *events < kMinHistory || *events > kMaxHistory)
    return wrong("--history", text, "a number from 1000 to 100000000");
  options.history = *events;
  return {};
}

Status set_port(std::string_view text, Options& options) {
  const auto port = number_of<std::uint16_t>(text);
  if (!port) return wrong("--port", text, "a number up to 65535");
  options.port = *port;
  return {};
}

Status add_host(std::string_view text, Options& options) {
  if (text.empty()) return wrong("--host", text, "a name that browsers call this server by");
  options.hosts.emplace_back(text);
  return {};
}

Status set_html(const char* value, Options& options) {
  if (*value == '\0') return wrong("--html", value, "a file to write, or - for standard output");
  options.html = value;
  return {};
}

Status set_max_memory(std::string_view text, Options& options) {
  options.max_memory = memory_size_of(text);
  if (!options.max_memory) return wrong("--max-memory", text, kMemorySizes);
  return {};
}

Status apply_value(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case kUdp:
      return set_udp(value, wishes);
    case kSource:
      show(Options::Input::kTracer, options.source, value, wishes);
      return {};
    case kReplay:
      show(Options::Input::kReplay, options.file, value, wishes);
      return {};
    case kServer:
      options.udp_server = value;
      return {};
    case kListen:
      options.listen = value;
      return {};
    case kSpeed:
      return set_speed(value, options);
    case kHistory:
      return set_history(value, options);
    case kPort:
      return set_port(value, options);
    case kHost:
      return add_host(value, options);
    case kMaxMemory:
      return set_max_memory(value, options);
    default:
      return set_html(value, options);
  }
}

Status apply(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case kFollow:
      options.follows = true;
      return {};
    case kNoOwners:
      options.keep_owners = false;
      return {};
    case kOpen:
      options.opens_browser = true;
      return {};
    case kKeepGoing:
      options.keep_going = true;
      return {};
    default:
      return apply_value(option, value, wishes);
  }
}

/// Checks for conflicting options.
Status check(const ParsedOptions& wishes) {
  const Options& options = wishes.options;
  const bool is_file = options.input == Options::Input::kFile,
             is_replay = options.input == Options::Input::kReplay;
  if (!options.html.empty() && (wishes.inputs != 1 || !is_file))
    return usage(
        "--html: expected one snapshot and no other input: physmem-view --html OUT.html SNAPSHOT");
  if (!options.html.empty() && is_same_file(options.file, options.html))
    return usage("--html: found \"" + options.html +
                 "\", which is the snapshot to read, expected another file");
  if (wishes.inputs != 1)
    return usage("found " +
                 (wishes.inputs == 0 ? "nothing" : std::to_string(wishes.inputs) + " things") +
                 " to show, expected one: FILE, --udp, --source or --replay");
  if (!options.udp_server.empty() && options.input != Options::Input::kUdp)
    return usage("--server: only with --udp");
  if (options.speed && !is_file && !is_replay)
    return usage("--speed: only with a file, --replay FILE");
  return {};
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  ParsedOptions wishes;
  const Result<CommandLine::Words> words = CommandLine(kProgram).parse(
      argc, argv,
      [&wishes](int option, const char* value) { return apply(option, value, wishes); });
  if (!words) return words.error();
  wishes.options.text_instead = words->text_instead;
  if (!words->text_instead.empty()) return std::move(wishes.options);
  for (const std::string& file : words->operands)
    show(Options::Input::kFile, wishes.options.file, file, wishes);
  if (Status status = check(wishes); !status) return status.error();
  return std::move(wishes.options);
}

}  // namespace physmem::view
