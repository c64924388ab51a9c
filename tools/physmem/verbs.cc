// SPDX-License-Identifier: MIT
#include "tools/physmem/verbs.h"

#include <algorithm>

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
        .operand = Operand::kOutput,
        .argument = "--allow-missing"},
       program("convert", "text to compact snapshots and back", "physmem-convert"),
       program("view", "a snapshot, or this machine, in a browser", "physmem-view"),
       program("watch", "wait for memory pressure, then report thrashing", "physmem-watch"),
       program("trace", "pages to and from swap", "physmem-trace"),
       program("profile", "page faults by function and file", "physmem-monitor"),
       program("fleet", "a history of many machines, and questions about it", "physmem-fleet")});
  return all;
}

}  // namespace

std::span<const Verb> verbs() {
  static const std::vector<Verb> kVerbs = all_verbs();
  return kVerbs;
}

const Verb* find_verb(std::string_view name) {
  const auto all = verbs();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Verb& verb) { return verb.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> collector_words(const Collect& collect, const std::string& ram) {
  std::vector<std::string> words;
  if (collect.ram) words.push_back(ram.empty() ? "--ram" : "--ram=" + ram);
  if (collect.verifies) words.emplace_back("--verify");
  if (collect.tasks_only) words.emplace_back("--tasks-only");
  if (collect.is_series())
    words.insert(words.end(),
                 {"--interval", collect.interval, "--count", std::to_string(collect.count)});
  return words;
}

}  // namespace physmem::command
