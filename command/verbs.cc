// SPDX-License-Identifier: MIT
#include "command/verbs.h"

#include <algorithm>
#include <utility>

namespace physmem::command {
namespace {

constexpr const char* kAnalyze = "physmem-analyze";

/// What the user gives, and what an analysis needs of physmem-collect.
struct Input {
  Verb::Operand operand = Verb::Operand::kSnapshots;
  std::vector<const char*> collect = {};
};

/// `options`: those of physmem-analyze that the help explains, besides the common ones.
Verb analysis(const char* name, const char* help, const char* question, Input input,
              std::vector<const char*> options, const char* examples) {
  return {name,     help,       Verb::Kind::kAnalysis,    input.operand,
          kAnalyze, {question}, std::move(input.collect), std::move(options),
          examples};
}

Verb program(const char* name, const char* help, const char* program,
             Verb::Operand operand = Verb::Operand::kSnapshots) {
  return {name, help, Verb::Kind::kProgram, operand, program, {}};
}

std::vector<const char*> table_options(std::vector<const char*> others = {}) {
  for (const char* const option :
       {"sort", "reverse", "top", "columns", "mib", "kib", "pages", "unit", "pid", "svg"})
    others.push_back(option);
  return others;
}

const Input kRam{.collect = {"--ram"}};

std::vector<Verb> table_verbs() {
  return {
      analysis("ps", "USS, PSS, RSS and swap of each process", "--processes", {},
               table_options({"group"}),
               "  physmem ps --sort uss --top 10\n"
               "  physmem ps --group cgroup\n"
               "  physmem ps --name 'python*' --columns pid,command,rss snap.txt\n"),
      analysis("units", "USS, PSS, RSS and swap of each library, program and other file",
               "--mappings", {}, table_options(),
               "  physmem units --top 20\n"
               "  physmem units --unit 'libssl*'\n"),
      analysis("users", "USS, PSS, RSS and swap of each user", "--users", {}, table_options(),
               "  physmem users --kib\n"),
      analysis("maps", "which pages of a process are resident: maps PID", "--vma",
               {.operand = Verb::Operand::kPid}, {"full", "node", "zone", "svg"},
               "  physmem maps 1234\n"
               "  physmem maps 1234 -o maps.pdf\n"),
      analysis("alerts", "code that should be shared and is not", "--private-text", {},
               {"full", "pid", "elf-root", "fail-on-alert"},
               "  physmem alerts\n"
               "  physmem alerts --fail-on-alert snap.txt\n"),
      analysis("metrics", "metrics of this machine for Prometheus", "--metrics", {}, {"top"},
               "  physmem metrics --top 5\n"),
  };
}

std::vector<Verb> ram_verbs() {
  return {
      analysis("ledger", "the whole of RAM by class", "--ledger", kRam,
               {"full", "node", "zone", "tier", "by", "svg"}, "  physmem ledger --full\n"),
      analysis("cache", "which files fill the page cache", "--cache", kRam,
               {"full", "maps", "node", "zone", "tier", "by", "svg"},
               "  physmem cache\n"
               "  physmem cache --maps libc.so.6\n"),
      analysis("slab", "slab caches of the kernel", "--slab", kRam, {"full", "by", "svg"},
               "  physmem slab --full\n"),
      analysis("kernel", "the kernel's own memory", "--kernel", kRam, {"full", "by", "svg"},
               "  physmem kernel\n"),
      analysis("fragmentation", "free blocks, and room for huge pages", "--fragmentation", kRam,
               {"node", "zone", "by", "svg"}, "  physmem fragmentation -o ram.svg\n"),
  };
}

std::vector<Verb> time_verbs() {
  return {
      analysis("diff", "what changed between two snapshots, or since OLD: diff OLD [NEW]", "--diff",
               {.operand = Verb::Operand::kBefore}, {"full", "pid", "svg"},
               "  physmem record old.pmc.zst\n"
               "  physmem diff old.pmc.zst\n"
               "  physmem diff old.pmc.zst new.pmc.zst -o diff.svg\n"),
      analysis("leaks", "lasting growth over snapshots; without them, over one minute", "--leaks",
               {.collect = {"--interval", "10s", "--count", "7"}}, {"full", "fail-on-alert", "svg"},
               "  physmem leaks\n"
               "  physmem leaks day/*.txt.zst\n"),
      analysis("faults", "page faults and thrashing; without snapshots, over ten seconds",
               "--faults", {.collect = {"--tasks-only", "--interval", "1s", "--count", "11"}},
               {"full", "service-time", "fail-on-alert", "svg"},
               "  physmem faults\n"
               "  physmem faults recorded-by-top.txt.zst\n"),
  };
}

std::vector<Verb> program_verbs() {
  return {
      program("top", "processes by PSS, live", "physmem-top"),
      program("record", "write a snapshot: record snap.pmc.zst", "physmem-collect",
              Verb::Operand::kOutput),
      program("convert", "text to compact snapshots and back", "physmem-convert"),
      program("view", "a snapshot, or this machine, in a browser", "physmem-view"),
      program("watch", "wait for memory pressure, then report thrashing", "physmem-watch"),
      program("trace", "pages to and from swap", "physmem-trace"),
      program("profile", "page faults by function and file", "physmem-monitor"),
      program("fleet", "a history of many machines, and questions about it", "physmem-fleet"),
  };
}

std::vector<Verb> all_verbs() {
  std::vector<Verb> all;
  for (std::vector<Verb> (*const verbs)() : {table_verbs, ram_verbs, time_verbs, program_verbs})
    for (Verb& verb : verbs()) all.push_back(std::move(verb));
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
