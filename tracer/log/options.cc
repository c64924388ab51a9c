// SPDX-License-Identifier: MIT
#include "tracer/log/options.h"

#include <utility>

#include "program/command_line.h"

namespace physmem::log {
namespace {

constexpr const char* kHelp =
    R"(pftrace-log: prints the swap-ins and swap-outs that a pftraced sends here

USAGE
  pftrace-log [OPTION]...

Listens on UDP port 9091 until Ctrl-C. Recording starts with the daemon's configuration, which it repeats every 64th
round, at least every 6.4 s. Prints one line per event:
  IN  14:26:40.101 371 7F10C2A00000 0001B000 00000080 work     local time, process, address, page number, sector, name
  OUT 14:26:40.100 371 7F10C2A00000 0001A2B3 00000080 work
  LOST 14:26:42.000 17                                         17 events did not arrive
- means unknown. All numbers except the process are hexadecimal.

OPTIONS
  -l, --listen ADDRESS[:PORT]  [default: 127.0.0.1:9091]; 0.0.0.0 or [::] for all addresses of this machine
      --server ADDRESS         accept datagrams from ADDRESS only [default: the sender of the first configuration]
      --format FORM            text, or trace: a .trace file, which all other programs read [default: text]
      --until-end              stop when the daemon ends
      --receive-buffer BYTES   size of the receive buffer [default: 4194304]
  -h, --help                   show this help
      --version                show the version

EXAMPLES
  pftrace-log                                          events of this machine
  pftrace-log --listen 0.0.0.0 --server 192.0.2.1      events of another machine
  pftrace-log --format trace --until-end > storm.trace

EXIT STATUS
  0 done   2 wrong usage   4 cannot listen, receive or write   5 done, but events were lost or no configuration arrived
)";

enum LongOption { kServer = 256, kFormat, kUntilEnd, kReceiveBuffer, kVersion };

constexpr option kOptions[] = {
    {"listen", required_argument, nullptr, 'l'},
    {"server", required_argument, nullptr, kServer},
    {"format", required_argument, nullptr, kFormat},
    {"until-end", no_argument, nullptr, kUntilEnd},
    {"receive-buffer", required_argument, nullptr, kReceiveBuffer},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, CommandLine::kVersion},
    {nullptr, 0, nullptr, 0},
};

constexpr CommandLine::Program kProgram{"pftrace-log", kHelp, "l:h", kOptions};

Error usage(const std::string& text) {
  return CommandLine(kProgram).usage(text);
}

Status set_address(const char* option, const char* value, wire::Endpoint& into) {
  const Result<wire::Endpoint> endpoint = wire::Endpoint::parse(value, wire::kPort);
  if (!endpoint) return usage(std::string(option) + ": " + endpoint.error().text);
  into = *endpoint;
  return {};
}

Status set_form(std::string_view value, Form& into) {
  if (value != "text" && value != "trace")
    return usage("--format: found \"" + std::string(value) + "\", expected text or trace");
  into = value == "text" ? Form::kText : Form::kTrace;
  return {};
}

Status set_receive_buffer(std::string_view value, int& into) {
  constexpr int kMin = 4096, kMax = 1 << 30;
  const auto bytes = number_of<int>(value);
  if (!bytes || *bytes < kMin || *bytes > kMax)
    return usage("--receive-buffer: found \"" + std::string(value) +
                 "\", expected bytes, 4096 to 1073741824");
  into = *bytes;
  return {};
}

Status apply(int option, const char* value, Options& options) {
  switch (option) {
    case 'l': {
      wire::Endpoint checked;
      options.udp.listen = value;
      return set_address("--listen", value, checked);
    }
    case kServer:
      return set_address("--server", value, options.udp.server.emplace());
    case kFormat:
      return set_form(value, options.form);
    case kUntilEnd:
      options.until_end = true;
      return {};
    default:
      return set_receive_buffer(value, options.udp.receive_buffer);
  }
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  Options options;
  Result<std::string> text = CommandLine(kProgram).parse_options(
      argc, argv,
      [&options](int option, const char* value) { return apply(option, value, options); });
  if (!text) return text.error();
  options.text_instead = *text;
  return options;
}

}  // namespace physmem::log
