// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "paging/source/udp_source.h"
#include "program/result.h"

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
