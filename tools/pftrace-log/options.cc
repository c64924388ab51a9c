// SPDX-License-Identifier: MIT
#include "tools/pftrace-log/options.h"

#include <string_view>

#include "program/option_table.h"
#include "program/option_value.h"

namespace physmem::log {
namespace {

constexpr ProgramText kProgram{
    kProgramName,
    "print the swap-ins and swap-outs that a pftraced sends here",
    "  pftrace-log [OPTION]...\n",
    R"(Listens on UDP port 9091 until Ctrl-C. Recording starts with the daemon's
configuration, which it repeats every 64th round, at least every 6.4 s. Prints
one line per event, with local time, process, address, page number, sector and
name:
  IN  14:26:40.101 371 7F10C2A00000 0001B000 00000080 work
  OUT 14:26:40.100 371 7F10C2A00000 0001A2B3 00000080 work
  LOST 14:26:42.000 17               17 events did not arrive
- means unknown. All numbers except the process are hexadecimal.
)",
    R"(EXAMPLES
  pftrace-log                                        events of this machine
  pftrace-log --listen 0.0.0.0 --server 192.0.2.1    events of another machine
  pftrace-log --format trace --until-end > storm.trace

EXIT STATUS
  0 done   2 wrong usage   4 cannot listen, receive or write
  5 done, but events were lost or no configuration arrived
)",
    "pftraced(8), physmem-trace(1)"};

std::string set_listen(Options& options, const char* value) {
  if (!wire::Endpoint::parse(value, wire::kPort)) return wire::kAddressForms;
  options.udp.listen = value;
  return {};
}

std::string set_server(Options& options, const char* value) {
  const Result<wire::Endpoint> endpoint = wire::Endpoint::parse(value, wire::kPort);
  if (!endpoint) return wire::kAddressForms;
  options.udp.server = *endpoint;
  return {};
}

std::string set_form(Options& options, const char* value) {
  const std::string_view form = value;
  if (form != "text" && form != "trace") return "text or trace";
  options.form = form == "text" ? Form::kText : Form::kTrace;
  return {};
}

std::string set_receive_buffer(Options& options, const char* value) {
  constexpr int kMin = 4096, kMax = 1 << 30;
  const auto bytes = number_of<int>(value);
  if (!bytes || *bytes < kMin || *bytes > kMax) return "bytes, 4096 to 1073741824";
  options.udp.receive_buffer = *bytes;
  return {};
}

const OptionTable<Options> kTable(
    kProgram,
    {{"OPTIONS",
      {{{'l', "listen", "ADDRESS[:PORT]", "0.0.0.0 or [::] for all addresses of this machine",
         "127.0.0.1:9091"},
        set_listen},
       {{0, "server", "ADDRESS", "accept datagrams from ADDRESS only",
         "the sender of the first configuration"},
        set_server},
       {{0, "format", "FORM", "text, or trace: a .trace file, which all other programs read",
         "text"},
        set_form},
       {{0, "until-end", nullptr, "stop when the daemon ends"}, set_true<&Options::until_end>},
       {{0, "receive-buffer", "BYTES", "size of the receive buffer", "4194304"},
        set_receive_buffer}}}});

Result<Options> finished(Options options, const std::vector<std::string>& operands) {
  if (Status status = refuse_operands(kProgram, operands); !status) return status.error();
  return options;
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::log
