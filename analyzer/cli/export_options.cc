// SPDX-License-Identifier: MIT
#include "analyzer/cli/export_options.h"

#include <string>
#include <string_view>

#include "program/option_value.h"

namespace physmem {
namespace {

template <Format format>
std::string add_export(ParsedOptions& options, const char* /*value*/) {
  options.forms.push_back(format);
  return {};
}

std::string set_weight(ParsedOptions& options, const char* value) {
  const std::string_view weight = value;
  options.weight = weight == "rss" ? StackWeight::kRss : StackWeight::kPss;
  options.has_weight = true;
  return weight == "rss" || weight == "pss" ? "" : "pss or rss";
}

}  // namespace

std::vector<OptionRow<ParsedOptions>> export_option_rows() {
  return {
      {{0, "sqlite", nullptr,
        "a database of processes, areas, units, classes of RAM, cached files and counters of "
        "all snapshots, instead of an analysis (docs/sqlite.md)"},
       add_export<Format::kSqlite>},
      {{0, "perfetto", nullptr,
        "a trace of a series for ui.perfetto.dev: PSS, RSS, swap and faults of each process, "
        "classes of RAM"},
       add_export<Format::kPerfetto>},
      {{0, "weight", "WHAT",
        "with --ask folded: pss, each page divided by its mappings, in whole pages with an exact "
        "sum; or rss, resident pages",
        "pss"},
       set_weight}};
}

Status check_exports(const ParsedOptions& options) {
  if (options.has_weight && !options.questions.contains("folded"))
    return wrong_usage(requires_option("--weight", option_of("folded")));
  if (options.forms.empty() && options.output.ends_with(".folded") &&
      !options.questions.contains("folded"))
    return wrong_usage(requires_option("--output " + options.output, option_of("folded")));
  if (!options.format || !is_export(*options.format)) return {};
  const std::string form = "--" + std::string(name(*options.format));
  if (!options.questions.empty())
    return wrong_usage(conflicts_with(form, option_of(*options.questions.begin())));
  if (!options.track_file.empty()) return wrong_usage(conflicts_with(form, "--track"));
  if (!options.selection.is_all())
    return wrong_usage(conflicts_with(form, "--node, --zone or --tier"));
  if (options.selection.by != RamSelection::By::kNothing)
    return wrong_usage(conflicts_with(form, "--by"));
  return {};
}

}  // namespace physmem
