// SPDX-License-Identifier: MIT
#include "analyzer/cli/check_options.h"

#include <algorithm>
#include <string>

#include "analyzer/cli/question_table.h"
#include "analyzer/cli/selection_options.h"
#include "program/option_value.h"
#include "program/printable.h"
#include "program/same_file.h"

namespace physmem {
namespace {

Status check_outputs(const Options& options) {
  for (const std::string& output : {options.output, options.track_file}) {
    const auto is_read = [&](const std::string& input) { return is_same_file(input, output); };
    if (!output.empty() && std::any_of(options.inputs.begin(), options.inputs.end(), is_read))
      return wrong_usage("found " + in_quotes(output, kWholePath) +
                         " as input and as output, expected different files");
  }
  if (!options.track_file.empty() && is_same_output(options.track_file, options.output))
    return wrong_usage("found " + in_quotes(options.track_file, kWholePath) +
                       " as --track and as --output, expected different files");
  return {};
}

bool writes_csv(const Options& options) {
  if (options.format) return *options.format == Format::kCsv;
  const auto kinds = question_table();
  return std::any_of(kinds.begin(), kinds.end(), [&](const QuestionKind& kind) {
    return kind.natural == Format::kCsv && options.questions.count(kind.name) != 0;
  });
}

/// Another answer would not fit into a file for a monitoring system.
Status check_metrics(const ParsedOptions& options) {
  if (!options.questions.contains("metrics")) return {};
  for (const std::string& question : options.questions)
    if (question != "metrics")
      return wrong_usage(conflicts_with(option_of("metrics"), option_of(question)));
  if (!options.track_file.empty())
    return wrong_usage(conflicts_with(option_of("metrics"), "--track"));
  if (options.format && *options.format != Format::kText)
    return wrong_usage(
        conflicts_with(option_of("metrics"), "--" + std::string(name(*options.format))));
  return {};
}

/// An option that would change nothing is a mistake.
Status check_effects(const ParsedOptions& options) {
  const auto is_asked = [&](const char* question) {
    return options.questions.count(question) != 0;
  };
  const bool has_sizes = is_asked("basic") || is_asked("totals");
  const bool has_more = has_sizes || is_asked("faults") || is_asked("leaks") || is_asked("diff") ||
                        is_asked("ledger") || is_asked("verify") || is_asked("cache") ||
                        is_asked("slab") || is_asked("kernel") || is_asked("fragmentation") ||
                        is_asked("private-text");
  if (options.is_physical && options.is_virtual)
    return wrong_usage(conflicts_with("--physical", "--virtual"));
  if (options.is_virtual && !has_sizes)
    return wrong_usage(requires_option("--virtual", "--basic or --totals"));
  if (options.is_full && !has_more && !is_for_fleet(options))
    return wrong_usage(
        requires_option("--full",
                        "--basic, --totals, --fleet, or --ask with faults, leaks, diff, ledger, "
                        "verify, cache, slab, kernel, fragmentation or alerts"));
  if (options.has_label && options.track_file.empty())
    return wrong_usage(requires_option("--label", "--track"));
  if (options.service_time_ms && !is_asked("faults"))
    return wrong_usage(requires_option("--service-time", option_of("faults")));
  if (options.has_elf_root && !is_asked("alerts") && !is_asked("private-text"))
    return wrong_usage(requires_option("--elf-root", "--alerts or --ask alerts"));
  if (!options.map_path.empty() && !is_asked("cache"))
    return wrong_usage(requires_option("--maps", option_of("cache")));
  if (Status status = check_metrics(options); !status) return status;
  if (Status status = check_selection(options); !status) return status;
  if (options.for_spreadsheet && !writes_csv(options))
    return wrong_usage(requires_option("--spreadsheet", "CSV output, such as --csv,"));
  return {};
}

}  // namespace

Status check_options(const ParsedOptions& options) {
  Status status = check_outputs(options);
  return status ? check_effects(options) : status;
}

}  // namespace physmem
