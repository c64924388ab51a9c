// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "collector-proc/collect.h"
#include "collector-proc/series.h"
#include "formats/output/open_output.h"
#include "program/errors.h"

namespace physmem::collect {

struct Options {
  std::string output;   // empty or "-": standard output
  std::string metrics;  // instead of output: the file of metrics
  SnapshotForm form = SnapshotForm::kText;
  std::string root = "/proc";
  bool is_copy = false;  // root is a copy of /proc, which is read in spite of what it lacks
  Scope scope;
  Pace pace;
  std::size_t jobs = 1;
  bool is_quiet = false;     // no progress, no messages about missing data of processes
  std::string text_instead;  // of --help or --version: print it and exit
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::collect
