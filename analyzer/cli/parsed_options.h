// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analyzer/input/options.h"
#include "program/option_table.h"

namespace physmem {

/// What the options ask for, before it is known whether they fit together.
struct ParsedOptions : Options {
  ParsedOptions();

  std::vector<Format> forms;
  bool is_physical = false;
  bool has_label = false;
  bool has_elf_root = false;
  bool has_size_unit = false;
  bool has_weight = false;
};

inline Error wrong_usage(const std::string& text) {
  return usage_error(kProgramName, text);
}

}  // namespace physmem
