// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/result.h"

namespace physmem::view {

struct Options {
  enum class Input {
    kFile,    ///< a snapshot or a trace; its first line tells
    kReplay,  ///< a trace
    kUdp,
    kTracer,
  };

  Input input = Input::kFile;
  std::string file;             ///< of kFile and kReplay
  std::string udp;              ///< where datagrams come to: an address with a port
  std::string udp_server;       ///< whose datagrams count; empty: whose configuration comes first
  std::string source = "auto";  ///< of kTracer
  std::optional<double> speed;  ///< of a trace in a file; nothing: its own
  std::string html;             ///< write this file and end; empty: serve
  bool keep_going = false;
  bool follows = false;     ///< pages begin with following the busiest block
  bool keep_owners = true;  ///< conclude whose a page is by whom its frame had last
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;
  std::vector<std::string> hosts;
  bool opens_browser = false;
  std::uint64_t history = 1'000'000;        ///< events
  std::optional<std::uint64_t> max_memory;  ///< bytes; nothing: a share of what there is

  std::string text_instead;  ///< --help or --version: print this and end
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::view
