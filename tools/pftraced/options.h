// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/result.h"
#include "tools/pftraced/config.h"

namespace physmem::daemon {

inline constexpr const char* kProgramName = "pftraced";

struct Options {
  std::string config = kConfigFile;
  bool foreground = false;
  std::string pid_file = {};      ///< empty: no file
  std::string replay = {};        ///< a trace to send instead of live events; empty: no replay
  double speed = 1;               ///< of the replay
  std::string text_instead = {};  ///< help or version: print this and do nothing else
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::daemon
