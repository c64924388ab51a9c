// SPDX-License-Identifier: MIT
#include "command/verbs.h"

#include <algorithm>
#include <array>

namespace physmem::command {
namespace {

constexpr const char* kAnalyze = "physmem-analyze";

Verb analysis(const char* name, const char* help, const char* question,
              std::vector<const char*> collect = {},
              Verb::Operand operand = Verb::Operand::kSnapshots) {
  return {name, help, Verb::Kind::kAnalysis, operand, kAnalyze, {question}, std::move(collect)};
}

Verb program(const char* name, const char* help, const char* program,
             Verb::Operand operand = Verb::Operand::kSnapshots) {
  return {name, help, Verb::Kind::kProgram, operand, program, {}};
}

const std::vector<Verb>& table() {
  static const std::vector<Verb> kVerbs{
      analysis("ps", "USS, PSS, RSS and swap of each process", "--processes"),
      analysis("units", "the same of each library, program and other file", "--mappings"),
      analysis("users", "the same of each user", "--users"),
      analysis("maps", "which pages of a process are resident: maps PID", "--vma", {},
               Verb::Operand::kPid),
      analysis("alerts", "code that should be shared and is not", "--alerts"),
      analysis("ledger", "the whole of RAM by class", "--ledger", {"--ram"}),
      analysis("cache", "which files fill the page cache", "--cache", {"--ram"}),
      analysis("slab", "slab caches of the kernel", "--slab", {"--ram"}),
      analysis("kernel", "the kernel's own memory", "--kernel", {"--ram"}),
      analysis("fragmentation", "free blocks, and room for huge pages", "--fragmentation",
               {"--ram"}),
      analysis("diff", "what changed: diff OLD NEW, or diff OLD for OLD and now", "--diff", {},
               Verb::Operand::kBefore),
      analysis("leaks", "lasting growth over snapshots; without them, over one minute", "--leaks",
               {"--interval", "10s", "--count", "7"}),
      analysis("faults", "page faults and thrashing; without snapshots, over ten seconds",
               "--faults", {"--tasks-only", "--interval", "1s", "--count", "11"}),
      analysis("metrics", "metrics of this machine for Prometheus", "--metrics"),
      program("top", "processes by PSS, live", "physmem-top"),
      program("record", "write a snapshot: record snap.pmc.zst", "physmem-collect",
              Verb::Operand::kOutput),
      program("convert", "text to compact snapshots and back", "physmem-convert"),
      program("view", "a snapshot, or this machine, in a browser", "physmem-view"),
      program("watch", "wait for memory pressure, then report thrashing", "physmem-watch"),
      program("trace", "pages to and from swap", "physmem-trace"),
      program("profile", "page faults by function and file", "physmem-monitor"),
  };
  return kVerbs;
}

}  // namespace

std::span<const Verb> verbs() {
  return table();
}

const Verb* find_verb(std::string_view name) {
  const auto all = verbs();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Verb& verb) { return verb.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::string command_of(const Verb& verb) {
  std::string text;
  if (verb.kind == Verb::Kind::kAnalysis) {
    text = "physmem-collect";
    for (const char* const word : verb.collect) text += std::string(" ") + word;
    text += " | ";
  }
  text += verb.program;
  for (const char* const word : verb.arguments) text += std::string(" ") + word;
  return text;
}

}  // namespace physmem::command
