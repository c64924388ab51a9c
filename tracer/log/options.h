// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/result.h"
#include "tracer/source/udp_source.h"

namespace physmem::log {

inline constexpr const char* kProgramName = "pftrace-log";

enum class Form { kText, kTrace };

struct Options {
  UdpOptions udp;
  Form form = Form::kText;
  bool until_end = false;         ///< stop when the daemon ends
  std::string text_instead = {};  ///< help or version: print this and do nothing else
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::log
