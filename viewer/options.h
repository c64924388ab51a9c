// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/duration.h"
#include "program/result.h"

namespace physmem::view {

inline constexpr const char* kProgramName = "physmem-view";

struct Options {
  enum class Input {
    kFile,    ///< a snapshot or a trace, detected by its first line
    kReplay,  ///< a trace
    kUdp,
    kTracer,
    kMetrics,
  };

  Input input = Input::kFile;
  std::string file;                      ///< of kFile and kReplay
  std::vector<std::string> later_files;  ///< more snapshots, shown after the snapshots of `file`
  std::string udp;                       ///< address and port on which datagrams arrive
  std::string udp_server;       ///< accepted sender; empty: the sender of the first configuration
  std::string source = "auto";  ///< of kTracer
  std::optional<double> speed;  ///< of a trace in a file; empty: original speed
  std::string html;             ///< write this file and exit; empty: serve
  bool keep_going = false;
  bool follows = false;     ///< pages initially follow the busiest block
  bool keep_owners = true;  ///< infer the owner of a page from the last owner of its frame
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;
  std::vector<std::string> hosts;
  std::string token_file;  ///< empty: a random token
  bool opens_browser = false;
  std::uint64_t interval_ns = 60 * kSecondNs;  ///< of kMetrics
  bool with_ram = false;                       ///< of kMetrics: also the whole of RAM
  std::uint64_t history = 1'000'000;           ///< events
  std::optional<std::uint64_t> max_memory;     ///< bytes; empty: the default limit

  std::string text_instead;  ///< --help or --version: print this and exit
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::view
