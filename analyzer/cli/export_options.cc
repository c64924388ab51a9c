// SPDX-License-Identifier: MIT
#include "analyzer/cli/export_options.h"

#include <string>
#include <string_view>

#include "program/option_value.h"

namespace physmem {
namespace {

std::string set_weight(ParsedOptions& options, const char* value) {
  const std::string_view weight = value;
  options.weight = weight == "rss" ? StackWeight::kRss : StackWeight::kPss;
  return weight == "rss" || weight == "pss" ? "" : "pss or rss";
}

}  // namespace

OptionRow<ParsedOptions> weight_row() {
  return {
      {0, "weight", "WHAT",
       "with --ask folded: pss, each page divided by its mappings, in whole pages with an exact "
       "sum; or rss, resident pages",
       "pss"},
      set_weight};
}

Status check_exports(const ParsedOptions& options) {
  const QuestionText* const asked = question_of_output(options.output);
  if (options.forms.empty() && asked != nullptr && !options.questions.contains(asked->name))
    return wrong_usage(options,
                       requires_option("--output " + options.output, asked_as(options, *asked)));
  if (!options.format || !is_export(*options.format)) return {};
  const std::string form = "--" + std::string(name(*options.format));
  if (!options.questions.empty()) {
    const std::string& other = *options.questions.begin();
    return wrong_usage(
        options,
        conflicts_with(form, options.has(other) ? "--" + other : asked_as(options, other)));
  }
  if (!options.track_file.empty()) return wrong_usage(options, conflicts_with(form, "--track"));
  if (!options.selection.is_all())
    return wrong_usage(options, conflicts_with(form, "--node, --zone or --tier"));
  if (options.selection.by != RamSelection::By::kNothing)
    return wrong_usage(options, conflicts_with(form, "--by"));
  return {};
}

}  // namespace physmem
