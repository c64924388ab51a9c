// SPDX-License-Identifier: MIT
// Any arguments (the input, split at newlines) give consistent options or a usage error.
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/cli/parse_options.h"
#include "tests/fuzz/check.h"
#include "tests/unit/command_words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> arguments;
  for (std::string line; std::getline(lines, line);) arguments.push_back(line);
  const auto options = physmem::CommandWords("physmem-analyze", std::move(arguments))
                           .given_to(physmem::parse_options);
  if (!options) {
    PHYSMEM_CHECK(options.error().kind == physmem::Error::Kind::kUsage &&
                  !options.error().text.empty());
    return 0;
  }
  if (!options->text_instead.empty()) return 0;
  PHYSMEM_CHECK(!options->inputs.empty());
  PHYSMEM_CHECK(!options->questions.empty() || !options->track_file.empty());
  return 0;
}
