// SPDX-License-Identifier: MIT
// What the user of physmem-fleet wants, as its words say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/name_pattern.h"
#include "fleet/ask/asked.h"

namespace physmem::fleet {

inline constexpr const char* kProgramName = "physmem-fleet";

enum class Verb { kRows, kLoad, kAsk, kSchema, kRollup, kExpire, kRemove, kArchive };
enum class Form { kText, kCsv, kJson, kPicture };

struct Options {
  Verb verb = Verb::kRows;
  std::string store;  ///< URL; of schema also a dialect
  std::vector<std::string> paths;
  std::string output = "-";
  std::string release;
  std::string archive;  ///< of rows: the place of the snapshot; otherwise the folder
  std::string state;    ///< file; empty: none
  bool follows = false;
  bool replaces = false;
  bool removes = false;
  bool is_dry_run = false;
  bool is_by_folder = false;
  std::optional<std::uint64_t> max_memory;  ///< bytes; nothing: memory_share()

  std::string question;
  std::optional<TimePoint> since, until, before;
  std::vector<NamePattern> hosts;
  std::vector<NamePattern> units;
  std::optional<std::size_t> top;
  bool is_full = false;
  std::optional<Form> form;
  bool for_spreadsheet = false;  ///< CSV without formulas

  std::string text_instead;  ///< text of --help or --version: print it and exit
};

}  // namespace physmem::fleet
