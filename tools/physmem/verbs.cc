// SPDX-License-Identifier: MIT
#include "tools/physmem/verbs.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "analyzer/input/options.h"

namespace physmem::command {
namespace {

constexpr const char* kAnalyze = "physmem-analyze";

/// What the user gives, and what an analysis needs of physmem-collect.
struct Input {
  Verb::Operand operand = Verb::Operand::kSnapshots;
  Collect collect = {};
};

using VerbOptions = std::vector<VerbOption>;

Verb analysis(const char* name, const char* help, std::vector<const char*> arguments, Input input,
              VerbOptions options, const char* examples) {
  return {name,
          help,
          Verb::Kind::kAnalysis,
          input.operand,
          kAnalyze,
          std::move(arguments),
          input.collect,
          std::move(options),
          examples};
}

Verb program(const char* name, const char* help, const char* program,
             Verb::Operand operand = Verb::Operand::kSnapshots,
             std::vector<const char*> arguments = {}) {
  return {name, help, Verb::Kind::kProgram, operand, program, std::move(arguments)};
}

VerbOptions joined(std::initializer_list<VerbOptions> parts) {
  VerbOptions all;
  for (const VerbOptions& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Which processes count.
VerbOptions selection() {
  return {"pid",
          {"name",
           "only processes with this command: a shell pattern, or a regular expression between "
           "slashes: 'python*', /^py/",
           "all"},
          "user",
          "cgroup"};
}

enum class Pictures { kNone, kSome };

VerbOptions forms(Pictures pictures) {
  const bool has_pictures = pictures == Pictures::kSome;
  VerbOptions options{
      {"text", "a table as text"}, {"csv", "comma-separated values"}, {"json", "a JSON document"}};
  if (has_pictures)
    options.emplace_back("svg", "a picture; with -o FILE also .png, .pdf and .ps, by the ending");
  options.emplace_back("output",
                       std::string("write to FILE, which appears whole or not at all. Its ending, "
                                   ".txt, .csv") +
                           (has_pictures ? ", .json, .svg, .png, .pdf or .ps" : " or .json") +
                           ", selects the form",
                       "-, standard output");
  return options;
}

VerbOptions size_units() {
  return {{"mib", "sizes in MiB (default)"}, {"kib", "sizes in KiB"}, {"pages", "sizes in pages"}};
}

VerbOption top_rows(const char* fallback = "all") {
  return {"top", "only the first N rows; the others are added up in one", fallback};
}

VerbOptions table_options(UseGrouping grouping, const char* unit) {
  const bool has_groups = grouping == UseGrouping::kProcess;
  return joined(
      {{{"sort", "order by this column: the largest first; texts and PIDs ascend", "pss"},
        "reverse",
        top_rows(),
        {"columns", use_column_words(grouping) +
                        (has_groups ? "; with --group also unread. Such as pid,command,pss" : "")}},
       size_units(),
       {{"unit", unit, "all"}},
       selection(),
       forms(Pictures::kSome)});
}

constexpr const char* kProcessesOfUnit = "only processes that map this file, such as 'libssl*'";

/// Which frames of RAM count.
VerbOptions places() {
  return {{"node", "only RAM of these NUMA nodes, such as 0,1", "all"},
          {"zone", "only RAM of these zones, such as DMA32,Normal", "all"}};
}

VerbOption by_place() {
  return {"by", "split the tables by node, zone or tier"};
}

const Input kRam{.collect = {.ram = true}};

std::vector<Verb> table_verbs() {
  return {
      analysis("ps", "USS, PSS, RSS and swap of each process", {"--ask", "ps"}, {},
               joined({{{"group",
                         "a row for each name, user, cgroup or unit. A cgroup has the pages that "
                         "its processes map; the page cache and the kernel memory that it pays for "
                         "are in physmem ledger --full"}},
                       table_options(UseGrouping::kProcess, kProcessesOfUnit)}),
               "  physmem ps --sort uss --top 10\n"
               "  physmem ps --group cgroup\n"
               "  physmem ps --name 'python*' --columns pid,command,rss snap.txt\n"),
      analysis("units", "USS, PSS, RSS and swap of each library, program and other file",
               {"--ask", "units"}, {},
               table_options(UseGrouping::kUnit, "only this file, such as 'libssl*'"),
               "  physmem units --top 20\n"
               "  physmem units --unit 'libssl*'\n"),
      analysis("users", "USS, PSS, RSS and swap of each user", {"--ask", "users"}, {},
               table_options(UseGrouping::kUser, kProcessesOfUnit), "  physmem users --kib\n"),
      analysis("maps", "which pages of a process are resident: maps PID", {"--vma"},
               {.operand = Verb::Operand::kPid}, joined({places(), forms(Pictures::kSome)}),
               "  physmem maps 1234\n"
               "  physmem maps 1234 -o maps.pdf\n"),
      analysis("alerts", "code that should be shared and is not", {"--ask", "alerts"}, {},
               joined({{{"full", "also the paper's rule: areas with single-use and shared pages"},
                        {"fail-on-alert", "exit status 1 if there is such code"},
                        "elf-root"},
                       selection(),
                       forms(Pictures::kNone)}),
               "  physmem alerts\n"
               "  physmem alerts --fail-on-alert snap.txt\n"),
      analysis("metrics", "metrics of this machine for Prometheus", {"--ask", "metrics"}, {},
               joined({{{"top", "the N largest names, units and control groups", "20"}},
                       selection(),
                       {{"output", "write to FILE.prom, which appears whole or not at all",
                         "-, standard output"}}}),
               "  physmem metrics --top 5\n"),
      analysis("export", "all of a snapshot as a database, stacks or a trace: export -o FILE.db",
               {}, {.operand = Verb::Operand::kExport},
               joined({{{"output",
                         "write to FILE. Its ending selects the form: .db or .sqlite, a database; "
                         ".folded, stacks for flame graphs; .perfetto-trace, a series for "
                         "ui.perfetto.dev"},
                        "sqlite",
                        "folded",
                        "perfetto",
                        {"weight",
                         "of stacks: pss, each page divided by its mappings; or rss, resident "
                         "pages",
                         "pss"}},
                       selection()}),
               "  physmem export -o snap.db\n"
               "  physmem export -o memory.folded snap.txt\n"
               "  physmem export -o day.perfetto-trace day/*.txt.zst\n"),
  };
}

std::vector<Verb> ram_verbs() {
  const VerbOptions pictures = forms(Pictures::kSome);
  return {
      analysis("ledger", "the whole of RAM by class, next to the totals of the kernel (witnesses)",
               {"--ask", "ledger"}, kRam,
               joined({{{"full", "also every owner"},
                        {"top", "of text, only the first N rows of each table", "all"}},
                       places(),
                       {"tier", by_place()},
                       pictures}),
               "  physmem ledger --full\n"),
      analysis("cache", "which files fill the page cache", {"--ask", "cache"}, kRam,
               joined({{{"full", "every file"},
                        {"top", "of text, only the first N rows of each table", "20"},
                        {"maps",
                         "which pages of this file are cached, 64 per line. PATH is the "
                         "whole name or its end"}},
                       places(),
                       {"tier", by_place()},
                       pictures}),
               "  physmem cache --top 5\n"
               "  physmem cache --ram=kcore\n"
               "  physmem cache --maps libc.so.6\n"),
      analysis("slab", "slab caches of the kernel", {"--ask", "slab"}, kRam,
               joined({{{"full", "every cache"},
                        {"top", "of text, only the first N rows of each table", "20"}},
                       places(),
                       {by_place()},
                       pictures}),
               "  physmem slab --full\n"),
      analysis("kernel", "the kernel's own memory", {"--ask", "kernel"}, kRam,
               joined({{{"full", "every owner"},
                        {"top", "of text, only the first N rows of each table", "10"}},
                       places(),
                       {by_place()},
                       pictures}),
               "  physmem kernel\n"),
      analysis("fragmentation", "free blocks, and room for huge pages", {"--ask", "fragmentation"},
               kRam, joined({places(), {by_place()}, pictures}),
               "  physmem fragmentation -o ram.svg\n"),
  };
}

VerbOptions diff_options() {
  return joined({{{"full", "also the areas; of RAM, every owner"},
                  {"top", "only the first N rows of each table", "10, on a terminal what fits"}},
                 size_units(),
                 selection(),
                 forms(Pictures::kSome)});
}

std::vector<Verb> time_verbs() {
  const VerbOptions pictures = forms(Pictures::kSome);
  return {
      analysis("diff", "what changed between two snapshots, or since OLD: diff OLD [NEW]",
               {"--ask", "diff"}, {.operand = Verb::Operand::kBefore}, diff_options(),
               "  physmem record old.pmc.zst\n"
               "  physmem diff old.pmc.zst\n"
               "  physmem diff old.pmc.zst new.pmc.zst -o diff.svg\n"),
      analysis("leaks", "lasting growth over snapshots; without them, over one minute",
               {"--ask", "leaks"}, {.collect = {.interval = "10s", .count = 7}},
               joined({{{"full", "a row for each region and area of every process"},
                        {"fail-on-alert", "exit status 1 if there is a leak"}},
                       selection(),
                       pictures}),
               "  physmem leaks\n"
               "  physmem leaks day/*.txt.zst\n"),
      analysis("faults", "page faults and thrashing; without snapshots, over ten seconds",
               {"--ask", "faults"},
               {.collect = {.tasks_only = true, .interval = "1s", .count = 11}},
               joined({{{"full", "more columns, and tables of the intervals, events and units"},
                        {"service-time",
                         "service time of a major fault: 8 for a disk, 0.2 for an SSD, 0.02 for "
                         "zram",
                         "unknown; less than 1 ms of CPU time per fault is thrashing"},
                        {"fail-on-alert", "exit status 1 if there was thrashing"}},
                       selection(),
                       pictures}),
               "  physmem faults\n"
               "  physmem faults recorded-by-top.txt.zst\n"),
  };
}

std::vector<Verb> program_verbs() {
  return {
      program("top", "processes by PSS, live", "physmem-top"),
      program("record", "write a snapshot: record snap.pmc.zst", "physmem-collect",
              Verb::Operand::kOutput, {"--allow-missing"}),
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

std::vector<std::string> words_of(const Collect& collect, const std::string& ram) {
  std::vector<std::string> words;
  if (collect.ram) words.push_back(ram.empty() ? "--ram" : "--ram=" + ram);
  if (collect.tasks_only) words.emplace_back("--tasks-only");
  if (collect.is_series())
    words.insert(words.end(),
                 {"--interval", collect.interval, "--count", std::to_string(collect.count)});
  return words;
}

std::string command_of(const Verb& verb) {
  std::string text;
  if (verb.kind == Verb::Kind::kAnalysis) {
    text = "physmem-collect";
    for (const std::string& word : words_of(verb.collect)) text += " " + word;
    text += " | ";
  }
  text += verb.program;
  for (const char* const word : verb.arguments) text += std::string(" ") + word;
  if (verb.operand == Verb::Operand::kBefore) text += " OLD -";
  if (verb.operand == Verb::Operand::kExport) text += " -o FILE";
  return text;
}

}  // namespace physmem::command
