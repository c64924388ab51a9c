// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analyzer/analyze/time/thrash_detector.h"
#include "program/errors.h"
#include "tools/watch/pressure_wait.h"
#include "tools/watch/watcher.h"

namespace physmem::watch {

inline constexpr const char* kProgramName = "physmem-watch";

struct Options {
  bool is_json = false;
  std::string root = "/proc";
  Trigger trigger;
  bool is_trigger_chosen = false;  // with --trigger: no other trigger or polling is used
  Plan plan;
  ThrashLimits limits;
  std::string text_instead;  // of --help or --version: print it and exit
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::watch
