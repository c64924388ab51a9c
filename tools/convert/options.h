// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/output/open_output.h"
#include "program/result.h"

namespace physmem::convert {

inline constexpr const char* kProgramName = "physmem-convert";

struct Options {
  std::string input = "-";
  bool has_input = false;  ///< false: no SNAPSHOT was given
  std::string output = "-";
  std::optional<std::uint64_t> max_memory = {};  ///< bytes; nothing: memory_share()
  std::optional<SnapshotForm> to;                ///< nothing: the opposite of the input's form
  std::string text_instead;                      ///< text of --help or --version: print it and exit
};

Result<Options> parse_options(int argc, char* argv[]);

/// An error with a short usage if no SNAPSHOT was given and standard input is a terminal.
Status expect_input(const Options& options);

}  // namespace physmem::convert
