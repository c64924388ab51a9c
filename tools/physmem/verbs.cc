// SPDX-License-Identifier: MIT
#include "tools/physmem/verbs.h"

#include <algorithm>
#include <array>

#include "program/option_words.h"

namespace physmem::command {
namespace {

Verb program(const char* name, const char* help, const char* program) {
  return {.name = name, .help = help, .program = program};
}

std::vector<Verb> all_verbs() {
  std::vector<Verb> all;
  for (const QuestionText& question : questions())
    if (question.is_verb())
      all.push_back({.name = question.word,
                     .help = question.help,
                     .question = &question,
                     .operand = question.operand});
  all.insert(
      all.end(),
      {program("top", "processes by PSS, live", "physmem-top"),
       {.name = "record",
        .help = "write a snapshot: record snap.pmc.zst",
        .program = "physmem-collect",
        .operand = Operand::kOutput},
       program("convert", "text to compact snapshots and back", "physmem-convert"),
       program("view", "a snapshot, or this machine, in a browser", "physmem-view"),
       program("watch", "wait for memory pressure, then report thrashing", "physmem-watch"),
       program("trace", "pages to and from swap", "physmem-trace"),
       program("profile", "page faults by function and file", "physmem-monitor"),
       program("fleet", "a history of many machines, and questions about it", "physmem-fleet")});
  return all;
}

/// Names that people type first.
struct Guess {
  std::string_view name;
  std::string_view verb;
  const char* words = nullptr;
};
constexpr std::array kGuesses{Guess{"process", "ps"},
                              Guess{"processes", "ps"},
                              Guess{"libs", "units"},
                              Guess{"library", "units"},
                              Guess{"libraries", "units"},
                              Guess{"stat", "summary"},
                              Guess{"cgroup", "cgroups"},
                              Guess{"containers", "cgroups"},
                              Guess{"free", "ledger"},
                              Guess{"files", "cache"},
                              Guess{"hugepages", "fragmentation"},
                              Guess{"thp", "fragmentation"},
                              Guess{"thrashing", "faults"}};

}  // namespace

std::span<const Verb> verbs() {
  static const std::vector<Verb> kVerbs = all_verbs();
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  const auto all = verbs();
  const auto guess = std::find_if(kGuesses.begin(), kGuesses.end(),
                                  [&](const Guess& one) { return one.name == name; });
  if (guess != kGuesses.end()) name = guess->verb;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Verb& verb) { return verb.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const char* words_of(std::string_view guessed) {
  const auto guess = std::find_if(kGuesses.begin(), kGuesses.end(),
                                  [&](const Guess& one) { return one.name == guessed; });
  return guess == kGuesses.end() ? nullptr : guess->words;
}

std::string guessed_names() {
  std::string names;
  for (std::size_t i = 0; i < kGuesses.size(); ++i) {
    const bool ends = i + 1 == kGuesses.size() || kGuesses[i + 1].verb != kGuesses[i].verb ||
                      kGuesses[i].words != kGuesses[i + 1].words;
    names += std::string(names.empty() ? "" : ", ") + std::string(kGuesses[i].name);
    if (!ends) continue;
    names += " (" + std::string(kGuesses[i].verb) +
             (kGuesses[i].words == nullptr ? "" : std::string(" ") + kGuesses[i].words) + ")";
  }
  return names;
}

std::string_view nearest_verb(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Verb& verb : verbs()) names.emplace_back(verb.name);
  for (const Guess& guess : kGuesses) names.push_back(guess.name);
  return nearest_word(word, names);
}

std::vector<std::string> collector_words(const Collect& collect, const std::string& ram) {
  std::vector<std::string> words;
  if (collect.ram) words.push_back(ram.empty() ? "--ram" : "--ram=" + ram);
  if (collect.holders) words.emplace_back("--holders");
  if (collect.verifies) words.emplace_back("--verify");
  if (collect.tasks_only) words.emplace_back("--tasks-only");
  if (collect.is_series())
    words.insert(words.end(),
                 {"--interval", collect.interval, "--count", std::to_string(collect.count)});
  return words;
}

}  // namespace physmem::command
