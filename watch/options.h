// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analyzer/analyze/thrash_detector.h"
#include "collector-proc/result.h"
#include "watch/pressure_wait.h"
#include "watch/watcher.h"

namespace physmem::watch {

struct Options {
  bool is_json = false;
  std::string root = "/proc";
  Trigger trigger;
  bool is_trigger_chosen = false;  // by --trigger: waits by exactly that, or not at all
  Plan plan;
  ThrashLimits limits;
  std::string message;  // help or version: print this and do nothing else
};

collect::Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::watch
