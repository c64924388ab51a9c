// SPDX-License-Identifier: MIT
#include "tracer/daemon/options.h"

#include <optional>
#include <utility>

#include "program/command_line.h"

namespace physmem::daemon {
namespace {

constexpr const char* kHelp =
    R"(pftraced: sends this machine's swap-ins and swap-outs to a client, as they happen, by UDP

USAGE
  pftraced [OPTION]...

Events come from the module physmem_paging if it is loaded, otherwise from a BPF program. After opening the source,
pftraced drops root and all capabilities. It sends only to the client in its configuration.

OPTIONS
  -c, --config FILE    the configuration [default: /etc/pftraced.conf]
  -f, --foreground     stay in the foreground and log to standard error [default: go to the background when ready, and
                       log to syslog]
      --pid-file FILE  lock FILE and write the process id to it, so that only one pftraced runs [default:
                       /run/pftraced.pid; with --foreground no file]
      --replay FILE    send the events of a recorded trace instead, at their original times
      --speed X        replay at X times the original speed [default: 1]; max: as fast as possible
  -h, --help           show this help
      --version        show the version

CONFIGURATION, one setting per line; # begins a comment
  client ADDRESS[:PORT]    destination: 192.0.2.7, 192.0.2.7:9091, 2001:db8::7, [2001:db8::7]:9091. Required
  server ADDRESS           source address on this machine [default: chosen by the system]
  port NUMBER              port of the client if client has none [default: 9091]
  source auto|kmod|bpf     source of events [default: auto]
  pid NUMBER               only this process; may be repeated [default: all, and swap-outs with unknown owner]
  all_events yes|no        also faults whose page was in the swap cache, in zswap, or zero [default: no]
  user NAME                user to run as: a name in /etc/passwd or a number [default: nobody]

SIGNALS
  SIGTERM, SIGINT          send buffered events and an end marker, then exit
  SIGUSR1                  log the numbers of sent and lost events, and the page faults of this program

EXAMPLES
  echo client 192.0.2.7 > /etc/pftraced.conf && pftraced
  pftraced --foreground --config lab.conf --replay storm.trace --speed 10

EXIT STATUS
  0 done   2 wrong usage   3 the configuration or the trace is wrong   4 cannot open, read, write or send
)";

enum LongOption { kPidFile = 256, kReplay, kSpeed, kVersion };

constexpr option kOptions[] = {
    {"config", required_argument, nullptr, 'c'},
    {"foreground", no_argument, nullptr, 'f'},
    {"pid-file", required_argument, nullptr, kPidFile},
    {"replay", required_argument, nullptr, kReplay},
    {"speed", required_argument, nullptr, kSpeed},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, CommandLine::kVersion},
    {nullptr, 0, nullptr, 0},
};

constexpr CommandLine::Program kProgram{"pftraced", kHelp, "c:fh", kOptions};

Error usage(const std::string& text) {
  return CommandLine(kProgram).usage(text);
}

/// What has been read so far.
struct ParsedOptions {
  Options options;
  std::optional<std::string> pid_file;
  bool has_speed = false;
};

Status apply(int option, const char* value, ParsedOptions& wishes) {
  Options& options = wishes.options;
  switch (option) {
    case 'c':
      options.config = value;
      break;
    case 'f':
      options.foreground = true;
      break;
    case kPidFile:
      wishes.pid_file = value;
      break;
    case kReplay:
      options.replay = value;
      break;
    default: {
      const std::optional<double> speed = speed_of(value);
      if (!speed)
        return usage("--speed: found \"" + std::string(value) + "\", expected " + kSpeedWanted);
      options.speed = *speed;
      wishes.has_speed = true;
    }
  }
  return {};
}

Result<Options> finished(ParsedOptions wishes) {
  Options& options = wishes.options;
  if (wishes.has_speed && options.replay.empty()) return usage("--speed: only with --replay");
  options.pid_file = wishes.pid_file.value_or(options.foreground ? "" : "/run/pftraced.pid");
  return std::move(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  ParsedOptions wishes;
  Result<std::string> text = CommandLine(kProgram).parse_options(
      argc, argv,
      [&wishes](int option, const char* value) { return apply(option, value, wishes); });
  if (!text) return text.error();
  wishes.options.text_instead = *text;
  if (!text->empty()) return std::move(wishes.options);
  return finished(std::move(wishes));
}

}  // namespace physmem::daemon
