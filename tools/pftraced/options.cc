// SPDX-License-Identifier: MIT
#include "tools/pftraced/options.h"

#include <optional>
#include <utility>

#include "program/option_table.h"
#include "program/option_value.h"

namespace physmem::daemon {
namespace {

constexpr ProgramText kProgram{
    kProgramName,
    "send swap-ins and swap-outs to a client, as they happen, by UDP",
    "  pftraced [OPTION]...\n",
    R"(Events come from the module physmem_paging if it is loaded, otherwise from a BPF
program. After opening the source, pftraced drops root and all capabilities. It
sends only to the client in its configuration.
)",
    R"(CONFIGURATION, one setting per line; # begins a comment
  client ADDRESS[:PORT]  destination: 192.0.2.7, 192.0.2.7:9091, 2001:db8::7,
                         [2001:db8::7]:9091. Required
  server ADDRESS         source address on this machine
                         [default: chosen by the system]
  port NUMBER            port of the client if client has none [default: 9091]
  source auto|kmod|bpf   source of events [default: auto]
  pid NUMBER             only this process; may be repeated
                         [default: all, and swap-outs with unknown owner]
  all_events yes|no      also faults whose page was in the swap cache, in zswap,
                         or zero [default: no]
  user NAME              user to run as: a name in /etc/passwd or a number
                         [default: nobody]

SIGNALS
  SIGTERM, SIGINT        send buffered events and an end marker, then exit
  SIGUSR1                log the numbers of sent and lost events, and the page
                         faults of this program

EXAMPLES
  echo client 192.0.2.7 > /etc/pftraced.conf && pftraced
  pftraced --foreground --config lab.conf --replay storm.trace --speed 10

EXIT STATUS
  0 done   2 wrong usage   3 the configuration or the trace is wrong
  4 cannot open, read, write or send
)",
    "pftrace-log(1), physmem-trace(1)",
    '8'};

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  std::optional<std::string> chosen_pid_file;
  std::optional<double> chosen_speed;
};

std::string set_pid_file(ParsedOptions& options, const char* value) {
  options.chosen_pid_file = value;
  return {};
}

const OptionTable<ParsedOptions> kTable(
    kProgram, {{"OPTIONS",
                {{{'c', "config", "FILE", "the configuration", "/etc/pftraced.conf"},
                  set_text<&Options::config>},
                 {{'f', "foreground", nullptr, "stay in the foreground and log to standard error",
                   "go to the background when ready, and log to syslog"},
                  set_true<&Options::foreground>},
                 {{0, "pid-file", "FILE",
                   "lock FILE and write the process id to it, so that only one pftraced runs",
                   "/run/pftraced.pid; with --foreground no file"},
                  set_pid_file},
                 {{0, "replay", "FILE",
                   "send the events of a recorded trace instead, at their original times"},
                  set_text<&Options::replay>},
                 {{0, "speed", "X",
                   "replay at X times the original speed; max: as fast as possible", "1", "10"},
                  set_speed<SpeedLimit::kAnySpeed, &ParsedOptions::chosen_speed>}}}});

Result<Options> finished(ParsedOptions options, const std::vector<std::string>& operands) {
  if (Status status = refuse_operands(kProgram, operands); !status) return status.error();
  if (options.chosen_speed && options.replay.empty())
    return usage_error(kProgram.name, requires_option("--speed", "--replay"));
  options.speed = options.chosen_speed.value_or(options.speed);
  options.pid_file =
      options.chosen_pid_file.value_or(options.foreground ? "" : "/run/pftraced.pid");
  return static_cast<Options&&>(options);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::daemon
