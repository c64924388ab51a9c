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

It takes them from the module physmem_paging, where that is loaded, else from a BPF program of its own; then it gives its rights
away and keeps no capability. It sends to the one client that its configuration names, and to nobody else.

OPTIONS
  -c, --config FILE    the configuration [default: /etc/pftraced.conf]
  -f, --foreground     stay, and say on standard error what there is to say [default: leave for the background once all is
                       ready, with messages to syslog]
      --pid-file FILE  holds the process id, and no second pftraced starts beside it [default: /run/pftraced.pid, none with
                       --foreground]
      --replay FILE    send the events of a trace instead, with their distance in time
      --speed X        times as fast [default: 1]; max: as fast as it goes
  -h, --help           this page
      --version        the version

CONFIGURATION, a line each; # begins a comment
  client ADDRESS[:PORT]    whom to send to: 192.0.2.7, 192.0.2.7:9091, 2001:db8::7, [2001:db8::7]:9091. Must be there
  server ADDRESS           which address of this machine to send from [default: the system's choice]
  port NUMBER              of the client, when client says none [default: 9091]
  source auto|kmod|bpf     where events come from [default: auto]
  pid NUMBER               only of this process; may be repeated [default: of all, and swap-outs whose owner is unknown]
  all_events yes|no        also faults that found their page in the swap cache, in zswap, or empty [default: no]
  user NAME                whose rights it keeps, a name of /etc/passwd or a number [default: nobody]

SIGNALS
  SIGTERM, SIGINT          send what is there, then the end, and end
  SIGUSR1                  say how much was sent and lost, and which page faults this program had

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
