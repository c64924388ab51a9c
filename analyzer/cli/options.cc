// SPDX-License-Identifier: MIT
#include "analyzer/cli/options.h"

#include <algorithm>
#include <array>

#include "analyzer/input/snapshot_files.h"

namespace physmem {

std::string_view name(Format format) {
  constexpr std::array<std::string_view, 9> kNames{"text", "csv", "json",   "ps",      "pdf",
                                                   "svg",  "png", "sqlite", "perfetto"};
  return kNames[static_cast<std::size_t>(format)];
}

bool is_for_fleet(const Options& options) {
  return options.is_fleet ||
         std::any_of(options.inputs.begin(), options.inputs.end(), is_directory);
}

}  // namespace physmem
