// SPDX-License-Identifier: MIT
// Any arguments (the input, split at newlines): options that agree with themselves, or a usage
// error.
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "analyzer/cli/options.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::vector<std::string> arguments{"physmem-analyze"};
  for (std::string line; std::getline(lines, line);) arguments.push_back(line);
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  const auto options = physmem::parse_options(static_cast<int>(argv.size()), argv.data());
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
