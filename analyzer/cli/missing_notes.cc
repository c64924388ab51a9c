// SPDX-License-Identifier: MIT
#include "analyzer/cli/missing_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/shape/view.h"
#include "program/messages.h"

namespace physmem {
namespace {

/// What a sentence says, whatever its number is: "ended while being collected" of "3 tasks ended
/// while being collected".
std::string without_number(const std::string& sentence) {
  const std::size_t number = sentence.find_first_not_of("0123456789");
  const std::size_t thing = number == 0 ? 0 : sentence.find(' ', number + 1);
  return sentence.substr(std::min(thing, sentence.size()));
}

}  // namespace

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
