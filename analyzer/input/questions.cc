// SPDX-License-Identifier: MIT
#include "analyzer/input/questions.h"

#include <algorithm>
#include <utility>

#include "analyzer/input/own_options.h"
#include "analyzer/input/process_questions.h"

namespace physmem {
namespace {

QuestionText ledger() {
  return {.name = "ledger",
          .word = "ledger",
          .help = "all of RAM by class, next to the kernel's totals (witnesses)",
          .examples =
              "  physmem ledger --full\n"
              "  physmem ledger --cgroup '*/nginx.service'\n",
          .options = joined({{{"full", "also every owner"}, top_of_tables("all")},
                             size_units(),
                             places_and_payers(),
                             {by_place()}}),
          .collect = kRam,
          .counts_frames = true,
          .frames_have_payers = true,
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
                             places_and_payers(),
                             {by_place()}}),
          .collect = kRam,
          .counts_frames = true,
          .words_are_files = true,
          .frames_have_payers = true,
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
  std::vector<QuestionText> all = process_questions();
  const auto add = [&all](std::vector<QuestionText> more) {
    for (QuestionText& question : more) all.push_back(std::move(question));
  };
  add({ledger(), verify(), cache()});
  add(kernel_questions());
  add({faults(), diff(), leaks(), metrics(), whole_snapshot()});
  return all;
}

}  // namespace

std::span<const QuestionText> questions() {
  static const std::vector<QuestionText> kQuestions = all_questions();
  return kQuestions;
}

}  // namespace physmem
