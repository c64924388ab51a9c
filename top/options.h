// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "formats/output/open_output.h"
#include "program/duration.h"
#include "program/errors.h"
#include "program/moment.h"
#include "top/model/rows.h"

namespace physmem::top {

inline constexpr const char* kProgramName = "physmem-top";

struct Options {
  std::uint64_t interval_ns = kSecondNs;
  std::uint64_t count = 0;  ///< samples; 0: until the user quits
  bool is_batch = false;
  Selection selection;
  Order order;
  bool is_tree = false;
  std::string record;  ///< empty: none
  SnapshotForm form = SnapshotForm::kText;
  std::string replay;        ///< empty: this machine
  std::optional<Moment> at;  ///< of a replay: where it begins
  std::string root = "/proc";
  std::string text_instead;  ///< of --help or --version: print it and exit
};

Result<Options> parse_options(int argc, char* argv[]);

}  // namespace physmem::top
