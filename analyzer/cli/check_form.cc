// SPDX-License-Identifier: MIT
#include "analyzer/cli/check_form.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "analyzer/cli/question_table.h"
#include "analyzer/report/csv_files.h"

namespace physmem {
namespace {

std::string those_with_pictures() {
  std::string names;
  for (const QuestionKind& kind : question_table())
    if (kind.has_picture) names += (names.empty() ? "" : ", ") + option_of(kind.name);
  return names;
}

/// The number of tables of the answers as CSV.
std::size_t csv_tables(const Options& options) {
  std::size_t tables = options.track_file.empty() ? 0 : 1;
  for (const QuestionKind& kind : question_table())
    if (options.questions.count(kind.name) != 0) tables += options.is_full ? kind.full_tables : 1;
  return tables;
}

}  // namespace

Status check_form(const Options& options) {
  if (options.format == Format::kCsv) return check_csv_tables(options.output, csv_tables(options));
  if (!options.format || !is_picture(*options.format)) return {};
  if (options.questions.empty())
    return Error{Error::Kind::kUsage,
                 fmt::format("--track has no form --{}", name(*options.format))};
  for (const QuestionKind& kind : question_table())
    if (options.questions.count(kind.name) != 0 && !kind.has_picture)
      return Error{Error::Kind::kUsage,
                   fmt::format("{} has no form --{}: these have: {}", option_of(kind.name),
                               name(*options.format), those_with_pictures())};
  return {};
}

}  // namespace physmem
