// SPDX-License-Identifier: MIT
#include "analyzer/cli/selection_options.h"

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
  constexpr const char* kForm = "numbers or ranges separated by commas, such as 0,1 or 0-3";
  while (true) {
    const std::string_view word = list.substr(0, list.find(','));
    const std::size_t dash = word.find('-');
    const auto first = number_of<std::uint64_t>(word.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : number_of<std::uint64_t>(word.substr(dash + 1));
    if (!first || !last || *first > *last || *last - *first >= kMaxNodes) return kForm;
    for (std::uint64_t number = *first; number <= *last; ++number) numbers.insert(number);
    if (word.size() == list.size()) return {};
    list.remove_prefix(word.size() + 1);
  }
}

/// "--basic, --totals or --count".
template <std::size_t kSize>
std::string listed(const std::array<const char*, kSize>& questions) {
  std::string text;
  for (std::size_t i = 0; i < kSize; ++i)
    text += (i == 0 ? "" : i + 1 == kSize ? " or " : ", ") + option_of(questions[i]);
  return text;
}

/// The questions that these options apply to.
std::set<std::string> possible_questions(bool is_split) {
  std::set<std::string> possible(kSplitQuestions.begin(), kSplitQuestions.end());
  if (is_split) return possible;
  possible.insert(kFrameQuestions.begin(), kFrameQuestions.end());
  possible.insert(kPageQuestions.begin(), kPageQuestions.end());
  return possible;
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
  std::string_view rest = value;
  while (true) {
    const std::string_view word = rest.substr(0, rest.find(','));
    if (word.empty()) return "names of zones separated by commas, such as DMA32,Normal";
    options.selection.zones.emplace(word);
    if (word.size() == rest.size()) return {};
    rest.remove_prefix(word.size() + 1);
  }
}

std::string add_nodes(ParsedOptions& options, const char* value) {
  return add_numbers(options.selection.nodes, value);
}

std::string add_tiers(ParsedOptions& options, const char* value) {
  return add_numbers(options.selection.tiers, value);
}

Status check_selection(const ParsedOptions& options) {
  const RamSelection& selection = options.selection;
  const bool is_split = selection.by != RamSelection::By::kNothing;
  if (!is_split && selection.is_all()) return {};
  const char* const option = is_split                   ? "--by"
                             : !selection.nodes.empty() ? "--node"
                             : !selection.zones.empty() ? "--zone"
                                                        : "--tier";
  const std::set<std::string> possible = possible_questions(is_split);
  const bool fits =
      std::all_of(options.questions.begin(), options.questions.end(),
                  [&](const std::string& question) { return possible.contains(question); });
  if (!fits)
    return wrong_usage(requires_option(
        option, is_split ? "only " + listed(kSplitQuestions)
                         : "questions about pages or frames (not faults, verify or metrics)"));
  if (options.is_virtual) return wrong_usage(conflicts_with(option, "--virtual"));
  if (!options.track_file.empty()) return wrong_usage(conflicts_with(option, "--track"));
  if (!is_split) return {};
  if (!options.map_path.empty()) return wrong_usage(conflicts_with(option, "--maps"));
  if (options.questions.contains("cache") && options.inputs.size() == 2)
    return wrong_usage(conflicts_with(option, "two snapshots of --ask cache"));
  return {};
}

}  // namespace physmem
