// SPDX-License-Identifier: MIT
#include "analyzer/cli/selection_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "program/option_value.h"

namespace physmem {
namespace {

constexpr std::array<std::pair<std::string_view, RamSelection::By>, 3> kPartsOfRam{
    {{"node", RamSelection::By::kNode},
     {"zone", RamSelection::By::kZone},
     {"tier", RamSelection::By::kTier}}};

/// More nodes than any kernel has.
constexpr std::uint64_t kMaxNodes = 65536;

/// "0", "0,2" or "0-3,8".
std::string add_numbers(std::set<std::uint64_t>& numbers, std::string_view list) {
  return for_each_word(list, [&](std::string_view word) -> std::string {
    const std::size_t dash = word.find('-');
    const auto first = number_of<std::uint64_t>(word.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : number_of<std::uint64_t>(word.substr(dash + 1));
    if (!first || !last || *first > *last || *last - *first >= kMaxNodes)
      return "numbers or ranges separated by commas, such as 0,1 or 0-3";
    for (std::uint64_t number = *first; number <= *last; ++number) numbers.insert(number);
    return {};
  });
}

}  // namespace

std::string set_by(ParsedOptions& options, const char* value) {
  const auto found = std::find_if(kPartsOfRam.begin(), kPartsOfRam.end(),
                                  [&](const auto& grouping) { return grouping.first == value; });
  if (found == kPartsOfRam.end()) return "node, zone or tier";
  options.selection.by = found->second;
  return {};
}

/// Words separated by commas.
std::string add_zones(ParsedOptions& options, const char* value) {
  return for_each_word(value, [&](std::string_view word) -> std::string {
    if (word.empty()) return "names of zones separated by commas, such as DMA32,Normal";
    options.selection.zones.emplace(word);
    return {};
  });
}

std::string add_nodes(ParsedOptions& options, const char* value) {
  return add_numbers(options.selection.nodes, value);
}

std::string add_tiers(ParsedOptions& options, const char* value) {
  return add_numbers(options.selection.tiers, value);
}

/// --cgroup selects frames of some questions, and processes of the others.
Status check_payers(const ParsedOptions& options) {
  if (options.selection.payers.empty()) return {};
  for (const QuestionText* const question : asked(options))
    if (!question->frames_have_payers)
      return wrong_usage(options,
                         fmt::format("--cgroup: found {} with --ask ledger or cache, of which it "
                                     "selects frames; expected them one by one",
                                     asked_as(options, *question)));
  if (!options.map_path.empty()) return wrong_usage(options, conflicts_with("--cgroup", "--maps"));
  if (options.questions.contains("cache") && options.inputs.size() == 2)
    return wrong_usage(options, conflicts_with("--cgroup", "two snapshots of --ask cache"));
  return {};
}

Status check_selection(const ParsedOptions& options) {
  if (Status status = check_payers(options); !status) return status;
  const RamSelection& selection = options.selection;
  const bool is_split = selection.by != RamSelection::By::kNothing;
  if (!is_split && selection.is_all()) return {};
  const char* const option = is_split                   ? "--by"
                             : !selection.nodes.empty() ? "--node"
                             : !selection.zones.empty() ? "--zone"
                                                        : "--tier";
  const auto refuse = [&](const char* other) {
    return wrong_usage(options, conflicts_with(option, other));
  };
  if (options.is_virtual) return refuse("--virtual");
  if (!options.track_file.empty()) return refuse("--track");
  if (!is_split) return {};
  if (!options.map_path.empty()) return refuse("--maps");
  if (options.questions.contains("cache") && options.inputs.size() == 2)
    return refuse("two snapshots of --ask cache");
  return {};
}

}  // namespace physmem
