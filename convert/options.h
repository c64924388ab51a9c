// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collector-proc/output.h"
#include "program/result.h"

namespace physmem::convert {

struct Options {
  std::string input = "-";
  bool has_input = false;  ///< false: no SNAPSHOT was named
  std::string output = "-";
  std::optional<std::uint64_t> max_memory = {};  ///< bytes; nothing: a share of what there is
  std::optional<collect::SnapshotForm> to;       ///< nothing: the one that the input has not
  std::string text_instead;                      ///< --help or --version: print this and end
};

Result<Options> parse_options(int argc, const char* const argv[]);

/// An error with a short usage if no SNAPSHOT was named and standard input is a terminal.
Status expect_input(const Options& options);

}  // namespace physmem::convert
