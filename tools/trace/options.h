// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "paging/write/form.h"
#include "program/result.h"

namespace physmem::record {

inline constexpr const char* kProgramName = "physmem-trace";

struct Options {
  std::string source = "auto";
  std::optional<std::string> replay;  ///< a trace file; "-" is standard input. Empty: record
  double speed = 0;                   ///< of a replay; 0: as fast as possible
  std::string output = "-";
  Form form = Form::kText;
  bool all_lines = false;        ///< in the paper's form
  bool for_spreadsheet = false;  ///< in CSV, escape names that look like formulas
  std::optional<std::chrono::nanoseconds> duration;
  std::vector<std::uint32_t> pids;  ///< empty: all
  std::string owners;               ///< a snapshot; empty: no snapshot
  bool keep_owners = true;          ///< infer owners of swap-outs from earlier events
  bool keep_going = false;
  bool is_quiet = false;
  std::optional<std::uint64_t> max_memory = {};  ///< bytes; empty: the default limit
  std::string text_instead;  ///< help or version: print this and do nothing else
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::record
