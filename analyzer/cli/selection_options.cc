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

constexpr std::array<std::pair<std::string_view, RamSelection::By>, 3> kGroupings{
    {{"node", RamSelection::By::kNode},
     {"zone", RamSelection::By::kZone},
     {"tier", RamSelection::By::kTier}}};

std::string add_numbers(std::set<std::uint64_t>& numbers, std::string_view list) {
  while (true) {
    const std::string_view word = list.substr(0, list.find(','));
    const auto number = number_of<std::uint64_t>(word);
    if (!number) return "numbers separated by commas, such as 0,1";
    numbers.insert(*number);
    if (word.size() == list.size()) return {};
    list.remove_prefix(word.size() + 1);
  }
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
  const auto found = std::find_if(kGroupings.begin(), kGroupings.end(),
                                  [&](const auto& grouping) { return grouping.first == value; });
  if (found == kGroupings.end()) return "node, zone or tier";
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
  const bool is_split = options.selection.by != RamSelection::By::kNothing;
  if (!is_split && options.selection.is_all()) return {};
  const char* const option = is_split ? "--by" : "--node, --zone and --tier";
  const std::set<std::string> possible = possible_questions(is_split);
  for (const std::string& question : options.questions)
    if (!possible.contains(question)) return wrong_usage(conflicts_with(option, "--" + question));
  if (options.is_virtual) return wrong_usage(conflicts_with(option, "--virtual"));
  if (!is_split) return {};
  if (!options.map_path.empty()) return wrong_usage(conflicts_with(option, "--maps"));
  if (!options.track_file.empty()) return wrong_usage(conflicts_with(option, "--track"));
  if (options.questions.contains("cache") && options.inputs.size() == 2)
    return wrong_usage(conflicts_with(option, "two snapshots of --cache"));
  return {};
}

std::vector<std::string> selection_problems(const Options& options, const FrameFilter& filter) {
  const auto is_asked = [&](const auto& questions) {
    return std::any_of(questions.begin(), questions.end(), [&](const char* question) {
      return options.questions.count(question) != 0;
    });
  };
  const std::string of_pages = is_asked(kPageQuestions) ? filter.problem_of_pages() : "";
  const std::string of_frames = is_asked(kFrameQuestions) ? filter.problem_of_frames() : "";
  std::vector<std::string> problems;
  if (!of_pages.empty()) problems.push_back(of_pages);
  if (!of_frames.empty() && of_frames != of_pages) problems.push_back(of_frames);
  return problems;
}

}  // namespace physmem
