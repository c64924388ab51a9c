// SPDX-License-Identifier: MIT
#include "analyzer/cli/missing_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analyzer/shape/view.h"
#include "program/messages.h"
#include "program/printable.h"

namespace physmem {
namespace {

/// What a sentence says, whatever its number is: "ended while being collected" of "3 tasks ended
/// while being collected".
std::string without_number(const std::string& sentence) {
  const std::size_t number = sentence.find_first_not_of("0123456789");
  const std::size_t thing = number == 0 ? 0 : sentence.find(' ', number + 1);
  return sentence.substr(std::min(thing, sentence.size()));
}

std::string without_memory(std::uint64_t pid, const BareProcess& process) {
  return fmt::format(
      "process {} ({}) {}", pid, process.name,
      process.is_kernel_thread
          ? "is a kernel thread, which has no memory of its own"
          : "has ended and has no memory; its parent has not waited for it (zombie)");
}

/// "--command and --user": those that were given.
std::string pattern_options(const ProcessFilter& only) {
  std::vector<const char*> given;
  if (!only.names.empty()) given.push_back("--command");
  if (!only.users.empty()) given.push_back("--user");
  if (!only.cgroups.empty()) given.push_back("--cgroup");
  return fmt::format("{}", fmt::join(given, " and "));
}

}  // namespace

std::vector<std::string> sentences_on_selection(const Census& census, const ProcessFilter& only,
                                                bool needs_areas) {
  std::vector<std::string> missing;
  const std::set<std::uint64_t>& not_found = census.not_found();
  if (!not_found.empty())
    missing.push_back(fmt::format("--pid: no address space belongs to process{} {}",
                                  not_found.size() == 1 ? "" : "es", fmt::join(not_found, ", ")));
  if (needs_areas && !only.has_patterns())
    for (const auto& [pid, process] : census.bare_processes())
      missing.push_back(without_memory(pid, process));
  if (needs_areas && only.has_patterns() && census.has_processes() && !census.has_address_spaces())
    missing.push_back("no process with memory matches " + pattern_options(only) +
                      ", only kernel threads and processes that have ended");
  if (only.has_patterns() && !census.has_processes())
    missing.push_back("no process matches " + pattern_options(only));
  return missing;
}

namespace {

bool are_words_of_processes(const Options& options) {
  return !options.words.empty() &&
         !any_asked(options, [](const QuestionText& one) { return one.words_are_files; });
}

}  // namespace

bool selects_processes(const Options& options, const ProcessFilter& only) {
  return only.has_patterns() || are_words_of_processes(options);
}

std::string no_match(const Options& options, const ProcessFilter& only) {
  if (!options.selection.payers.empty())
    return fmt::format(
        "no cgroup that pays for frames fits --cgroup {}; '*/NAME' finds a name, "
        "'*PART*' a part of one",
        in_quotes(options.selection.payers.front().text()));
  if (!are_words_of_processes(options)) return "no process matches " + pattern_options(only);
  return fmt::format("no process fits {}, and no snapshot is named so", quoted(options.words));
}

std::string quoted(const std::vector<std::string>& words) {
  std::vector<std::string> texts;
  texts.reserve(words.size());
  for (const std::string& word : words) texts.push_back(in_quotes(word));
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string MissingNotes::name_of(const std::string& input) const {
  return input == "-" ? options_.name_of_input : input;
}

std::string MissingNotes::name_of(const std::string& input, std::size_t number) const {
  const std::string name = name_of(input);
  if (input == "-" && options_.live_snapshots > 1)
    return fmt::format("{}, snapshot {} of {}", name, number, options_.live_snapshots);
  return number == 1 ? name : fmt::format("{}, snapshot {}", name, number);
}

void MissingNotes::report(const std::string& name, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences)
    physmem::report(messages_, kProgramName, name + ": " + sentence);
}

void MissingNotes::report_news(const std::string& name, const std::vector<std::string>& sentences) {
  std::vector<std::string> news;
  for (const std::string& sentence : sentences)
    if (reported_.insert(without_number(sentence)).second) news.push_back(sentence);
  if (news.empty() && !sentences.empty()) ++repeated_;
  report(name, news);
}

void MissingNotes::end_input(const std::string& input) {
  if (repeated_ != 0)
    report(name_of(input), {fmt::format("likewise in {}", counted(repeated_, "later snapshot"))});
  reported_.clear();
  repeated_ = 0;
}

}  // namespace physmem
