// SPDX-License-Identifier: MIT
#include "analyzer/input/questions.h"

#include <algorithm>
#include <initializer_list>

#include "analyzer/shape/use_shape.h"

namespace physmem {
namespace {

using OwnOptions = std::vector<OwnOption>;

OwnOptions joined(std::initializer_list<OwnOptions> parts) {
  OwnOptions all;
  for (const OwnOptions& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Which processes count.
OwnOptions selection() {
  return {"pid",
          {"command",
           "only processes with this command: a shell pattern, or a regular expression between "
           "slashes: 'python*', /^py/",
           "all"},
          "user",
          "cgroup"};
}

/// Which pages or frames of RAM count.
OwnOptions places() {
  return {{"node", "only RAM of these NUMA nodes, such as 0,1", "all"},
          {"zone", "only RAM of these zones, such as DMA32,Normal", "all"},
          {"tier", "only RAM of these memory tiers", "all"}};
}

OwnOptions pages_of_processes() {
  return joined({selection(), places()});
}

OwnOption by_place() {
  return {"by", "split the tables by node, zone or tier"};
}

OwnOptions size_units() {
  return {{"mib", "sizes in MiB (default of text)"},
          {"kib", "sizes in KiB"},
          {"pages", "sizes in pages (CSV and JSON without any: bytes)"}};
}

OwnOption top_of_tables(const char* fallback) {
  return {"top", "of text, only the first N rows of each table", fallback};
}

constexpr const char* kProcessesOfFile = "only processes that map this file, such as 'libssl*'";

OwnOptions use_options(UseGrouping grouping, const char* file) {
  const bool has_groups = grouping == UseGrouping::kProcess;
  return joined(
      {{{"sort", "order by this column: the largest first; texts and PIDs ascend", "pss"},
        "reverse",
        {"over-time",
         "a series over time, instead of its last snapshot. --sort chooses what is followed: uss, "
         "pss, rss, swap or vss"},
        {"top", "only the first N rows; the others are added up in one", "all"},
        {"columns", use_column_words(grouping) +
                        (has_groups ? "; with --group also unread. Such as pid,command,pss" : "")}},
       size_units(),
       {{"file", file, "all"}},
       pages_of_processes()});
}

constexpr Collect kRam{.ram = true};
constexpr Collect kRamAndHolders{.ram = true, .holders = true};

QuestionText summary() {
  return {.name = "summary",
          .word = "summary",
          .help = "ten lines: total, use, the largest processes and files, alerts",
          .examples = "  physmem summary snap.txt\n",
          .options = pages_of_processes(),
          .counts_frames = true,
          .of_fleet = true};
}

QuestionText overview() {
  return {.name = "overview",
          .word = "overview",
          .help = "one screen: RAM by use, the largest processes and files, alerts",
          .options = joined({{"top"}, size_units(), selection()}),
          .of_last = true};
}

QuestionText processes() {
  return {.name = "processes",
          .word = "ps",
          .help = "USS, PSS, RSS and swap of each process; ps PID: all about one",
          .examples =
              "  physmem ps --sort uss --top 10\n"
              "  physmem ps chromium\n"
              "  physmem ps 1234\n"
              "  physmem ps --group cgroup\n"
              "  physmem ps --command 'python*' --columns pid,command,rss snap.txt\n",
          .options = joined(
              {{{"group",
                 "a row for each command, program, tree of processes, user, cgroup or file. A "
                 "cgroup has the pages that its processes map; physmem cgroups shows what it pays "
                 "for"}},
               use_options(UseGrouping::kProcess, kProcessesOfFile)}),
          .natural = Format::kCsv,
          .has_picture = true,
          .of_last = true};
}

QuestionText mappings() {
  return {.name = "mappings",
          .word = "units",
          .help = "USS, PSS, RSS and swap of each library, program and other file",
          .examples =
              "  physmem units --top 20\n"
              "  physmem units libssl\n"
              "  physmem units libssl --group process\n",
          .options = joined(
              {{{"group",
                 "a row for each process, command, program, tree of processes, user or cgroup, "
                 "with its part of the files"}},
               use_options(UseGrouping::kUnit, "only this file, such as 'libssl*'")}),
          .words_are_files = true,
          .natural = Format::kCsv,
          .has_picture = true,
          .of_last = true};
}

QuestionText users() {
  return {.name = "users",
          .word = "users",
          .help = "USS, PSS, RSS and swap of each user",
          .examples =
              "  physmem users --kib\n"
              "  physmem users root\n",
          .options = use_options(UseGrouping::kUser, kProcessesOfFile),
          .natural = Format::kCsv,
          .has_picture = true,
          .of_last = true};
}

QuestionText cgroups() {
  return {.name = "cgroups",
          .word = "cgroups",
          .help = "which cgroups pay for memory, and which use it",
          .examples =
              "  physmem cgroups\n"
              "  physmem cgroups nginx --full\n",
          .options = joined(
              {{{"full", "all columns and files; as CSV, also the tables of files"},
                {"top", "of text, only the first N files that other cgroups use", "10"}},
               size_units(),
               {{"cgroup",
                 "only these cgroups and those below them: a shell pattern for the path or the "
                 "name, or a regular expression between slashes: '*/nginx.service'",
                 "all"}}}),
          .collect = kRam,
          .counts_frames = true,
          .rows_are_cgroups = true,
          .has_picture = true,
          .full_tables = 3,
          .of_last = true};
}

QuestionText shared_memory() {
  return {.name = "shmem",
          .word = "shmem",
          .help = "shared memory by object: who pays, maps it, holds it by a descriptor",
          .examples = "  physmem shmem --full\n",
          .options = joined({{{"full", "every object, and the processes that map or hold it"},
                              top_of_tables("20")},
                             size_units()}),
          .collect = kRamAndHolders,
          .counts_frames = true,
          .full_tables = 2,
          .of_last = true};
}

QuestionText if_stopped() {
  return {.name = "if-stopped",
          .word = "if-stopped",
          .help = "what becomes free if these processes end, and what others keep",
          .examples =
              "  physmem if-stopped 1234\n"
              "  physmem if-stopped --cgroup '*/postgresql.service'\n"
              "  physmem if-stopped --command firefox snap.txt\n",
          .options = joined({{{"full", "as CSV, also the table of others that map the memory"}},
                             size_units(),
                             selection()}),
          .collect = kRamAndHolders,
          .full_tables = 2};
}

QuestionText frame() {
  return {.name = "frame",
          .word = "frame",
          .help = "single frames: their use and owner, the cgroup that pays, their mappings",
          .examples =
              "  physmem frame 0x1023d6 1057751\n"
              "  physmem frame --address 0x1023d6000\n",
          .options = {"frames", "address", {"full", "as CSV, also the table of mappings"}},
          .collect = kRam,
          .counts_frames = true,
          .operand = Operand::kFrames,
          .full_tables = 2};
}

std::vector<QuestionText> process_reports() {
  return {
      {.name = "basic",
       .help = "pages of each process: stack, data, text, heap, libraries (csv)",
       .is_report = true,
       .options = joined({{"virtual", "full", by_place()}, pages_of_processes()}),
       .natural = Format::kCsv,
       .has_picture = true,
       .of_fleet = true},
      {.name = "vma",
       .word = "maps",
       .help = "maps of a process's areas: pages, and how often they are mapped",
       .is_report = true,
       .examples = "  physmem maps 1234\n"
                   "  physmem maps 1234 -o maps.pdf\n",
       .options = pages_of_processes(),
       .operand = Operand::kPid,
       .has_picture = true},
      {.name = "units",
       .help = "maps of each executable unit over all processes: how often its pages are mapped",
       .is_report = true,
       .options = pages_of_processes(),
       .has_picture = true},
      {.name = "totals",
       .help = "bss, data and text of each executable unit, over all processes (csv)",
       .is_report = true,
       .options = joined({{"virtual", "full", by_place()}, pages_of_processes()}),
       .natural = Format::kCsv,
       .has_picture = true,
       .of_fleet = true},
  };
}

QuestionText folded() {
  return {.name = "folded",
          .word = "folded",
          .help = "stacks for flame graphs: host, cgroup, process, region, file",
          .options = joined({{"weight"}, pages_of_processes()}),
          .ending = ".folded"};
}

std::vector<QuestionText> alert_questions() {
  return {
      {.name = "alerts",
       .help = "areas with pages that should be shared and are not",
       .is_report = true,
       .options = joined({{"elf-root"}, pages_of_processes()}),
       .of_fleet = true},
      {.name = "private-text",
       .word = "alerts",
       .help = "code that should be shared and is not",
       .examples = "  physmem alerts\n"
                   "  physmem alerts --fail-on-alert snap.txt\n",
       .options =
           joined({{{"full", "also the paper's rule: areas with single-use and shared pages"},
                    {"fail-on-alert", "exit status 1 if there is such code"},
                    "elf-root"},
                   pages_of_processes()}),
       .of_fleet = true},
      {.name = "count",
       .help = "number of physical pages that user space uses",
       .is_report = true,
       .options = joined({{by_place()}, pages_of_processes()}),
       .of_fleet = true},
  };
}

QuestionText ledger() {
  return {.name = "ledger",
          .word = "ledger",
          .help = "all of RAM by class, next to the kernel's totals (witnesses)",
          .examples = "  physmem ledger --full\n",
          .options = joined({{{"full", "also every owner"}, top_of_tables("all")},
                             size_units(),
                             places(),
                             {by_place()}}),
          .collect = kRam,
          .counts_frames = true,
          .has_picture = true,
          .full_tables = 2,
          .of_fleet = true};
}

QuestionText verify() {
  return {.name = "verify",
          .word = "verify",
          .help = "compare counts with the kernel's; exit status 1 if one differs",
          .examples = "  physmem verify --full\n",
          .options = {{"full", "also each comparison, and frames that differ"}},
          .collect = {.ram = true, .verifies = true},
          .counts_frames = true};
}

QuestionText cache() {
  return {.name = "cache",
          .word = "cache",
          .help = "files in the page cache; of two snapshots: what came and went",
          .examples =
              "  physmem cache --top 5\n"
              "  physmem cache /var/lib/postgresql\n"
              "  physmem cache --maps libc.so.6\n",
          .options = joined({{{"full", "every file"},
                              top_of_tables("20"),
                              {"file", "only these files, such as '*.so*'"},
                              {"maps",
                               "which pages of this file are cached, 64 per line. PATH is the "
                               "whole name or its end"}},
                             size_units(),
                             places(),
                             {by_place()}}),
          .collect = kRam,
          .counts_frames = true,
          .words_are_files = true,
          .asks_paths = true,
          .has_picture = true,
          .full_tables = 4,
          .compares_two = true};
}

std::vector<QuestionText> kernel_questions() {
  return {
      {.name = "slab",
       .word = "slab",
       .help = "slab caches of the kernel; over snapshots: how they grow",
       .examples = "  physmem slab --full\n",
       .options = joined(
           {{{"full", "every cache"}, top_of_tables("20")}, size_units(), places(), {by_place()}}),
       .collect = kRam,
       .counts_frames = true,
       .has_picture = true,
       .of_series = true},
      {.name = "kernel",
       .word = "kernel",
       .help = "the kernel's own memory, and who owns it",
       .examples = "  physmem kernel\n",
       .options = joined(
           {{{"full", "every owner"}, top_of_tables("10")}, size_units(), places(), {by_place()}}),
       .collect = kRam,
       .counts_frames = true,
       .has_picture = true,
       .full_tables = 7},
      {.name = "fragmentation",
       .word = "fragmentation",
       .help = "free blocks, and room for huge pages",
       .examples = "  physmem fragmentation -o ram.svg\n",
       .options = joined({{{"full", "every process, and every owner in the way"}},
                          size_units(),
                          places(),
                          {by_place()}}),
       .collect = kRam,
       .counts_frames = true,
       .has_picture = true,
       .full_tables = 5},
      {.name = "pages",
       .help = "every physical page: flags, use count, owner",
       .is_report = true,
       .options = pages_of_processes()},
  };
}

QuestionText faults() {
  return {.name = "faults",
          .word = "faults",
          .help = "page faults and thrashing over several snapshots",
          .examples =
              "  physmem faults\n"
              "  physmem faults recorded-by-top.txt.zst\n",
          .options = joined(
              {{{"full", "more columns, and tables of the intervals, events and files"},
                {"service-time",
                 "service time of a major fault: 8 for a disk, 0.2 for an SSD, 0.02 for zram",
                 "unknown; less than 1 ms of CPU time per fault is thrashing"},
                {"fail-on-alert", "exit status 1 if there was thrashing"}},
               selection()}),
          .collect = {.tasks_only = true, .interval = "1s", .count = 11},
          .has_picture = true,
          .full_tables = 4,
          .of_series = true,
          .min_snapshots = 2};
}

QuestionText diff() {
  return {.name = "diff",
          .word = "diff",
          .help = "what changed between two snapshots, or since one",
          .examples =
              "  physmem record old.pmc.zst\n"
              "  physmem diff old.pmc.zst\n"
              "  physmem diff old.pmc.zst new.pmc.zst -o diff.svg\n",
          .options = joined(
              {{{"full", "also the areas; of RAM, every owner"},
                {"group", "of text and charts, a row for each command, user or cgroup"},
                {"top", "only the first N rows of each table", "10, on a terminal what fits"}},
               size_units(),
               pages_of_processes()}),
          .counts_frames = true,
          .operand = Operand::kBefore,
          .has_picture = true,
          .of_series = true,
          .min_snapshots = 2,
          .max_snapshots = 2};
}

QuestionText leaks() {
  return {.name = "leaks",
          .word = "leaks",
          .help = "lasting growth over three snapshots or more",
          .examples =
              "  physmem leaks\n"
              "  physmem leaks day/*.txt.zst\n",
          .options = joined({{{"full", "a row for each region and area of every process"},
                              {"fail-on-alert", "exit status 1 if there is a leak"}},
                             size_units(),
                             pages_of_processes()}),
          .collect = {.interval = "10s", .count = 7},
          .counts_frames = true,
          .has_picture = true,
          .of_series = true,
          .min_snapshots = 3};
}

QuestionText metrics() {
  return {.name = "metrics",
          .word = "metrics",
          .help = "metrics for Prometheus; a file is replaced after each snapshot",
          .examples = "  physmem metrics --top 5\n",
          .options =
              joined({{{"top", "the N largest commands, files and cgroups", "20"}}, selection()}),
          .ending = ".prom",
          .of_series = true,
          .replaces_output = true};
}

OwnOptions exports() {
  OwnOptions all;
  const auto rows = forms();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (is_export(static_cast<Format>(i))) all.emplace_back(rows[i].name);
  return all;
}

QuestionText whole_snapshot() {
  return {.name = "export",
          .word = "export",
          .help = "all of a snapshot as a database or trace: export -o FILE.db",
          .is_form = true,
          .examples =
              "  physmem export -o snap.db\n"
              "  physmem export -o day.perfetto-trace day/*.txt.zst\n",
          .options = joined({exports(),
                             {"folded",
                              {"weight",
                               "of stacks: pss, each page divided by its mappings; or rss, "
                               "resident pages",
                               "pss"}},
                             selection()}),
          .operand = Operand::kExport};
}

std::vector<QuestionText> all_questions() {
  std::vector<QuestionText> all{summary(), overview(),      processes(),  mappings(), users(),
                                cgroups(), shared_memory(), if_stopped(), frame()};
  const auto add = [&all](std::vector<QuestionText> more) {
    for (QuestionText& question : more) all.push_back(std::move(question));
  };
  add(process_reports());
  all.push_back(folded());
  add(alert_questions());
  add({ledger(), verify(), cache()});
  add(kernel_questions());
  add({faults(), diff(), leaks(), metrics(), whole_snapshot()});
  return all;
}

}  // namespace

bool QuestionText::has(std::string_view option) const {
  return std::any_of(options.begin(), options.end(),
                     [option](const OwnOption& one) { return one.name == option; });
}

std::span<const QuestionText> questions() {
  static const std::vector<QuestionText> kQuestions = all_questions();
  return kQuestions;
}

}  // namespace physmem
