// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/result.h"
#include "collector-proc/output.h"

namespace physmem::convert {

struct Options {
  std::string input = "-";
  std::string output = "-";
  std::optional<std::uint64_t> max_memory = {};  ///< bytes; nothing: a share of what there is
  std::optional<collect::SnapshotForm> to;  ///< nothing: the one that the input has not
  std::string text_instead;                 ///< --help or --version: print this and end
};

Result<Options> parse_options(int argc, const char* const argv[]);

}  // namespace physmem::convert
