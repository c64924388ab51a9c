// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/result.h"
#include "tools/monitor/profile.h"

namespace physmem::monitor {

inline constexpr const char* kProgramName = "physmem-monitor";

enum class Form { kText, kCsv, kLive, kPlot };

struct Input {
  std::string label;
  std::string name;  ///< file or device; "-" is standard input
};

struct Options {
  Form form = Form::kText;
  bool by_file = false;
  bool consumes = false;
  std::optional<std::uint64_t> max_memory = {};  ///< bytes; empty: the default limit
  std::optional<unsigned> hz;
  CpuUnit cpu_unit = CpuUnit::kJiffies;
  std::string title;
  std::string output = "-";   ///< with --plot, the name of the picture
  std::vector<Input> inputs;  ///< at least one
  std::string text_instead;   ///< help or version: print this and do nothing else
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::monitor
