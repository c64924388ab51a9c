// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/result.h"
#include "tracer/daemon/config.h"

namespace physmem::daemon {

struct Options {
  std::string config = kConfigFile;
  bool foreground = false;
  std::string pid_file = {};      ///< empty: none
  std::string replay = {};        ///< a trace that is sent instead of what happens; empty: none
  double speed = 1;               ///< of it
  std::string text_instead = {};  ///< help or version: print it, and that is all
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::daemon
