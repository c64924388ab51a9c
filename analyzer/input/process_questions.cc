// SPDX-License-Identifier: MIT
#include "analyzer/input/process_questions.h"

#include <utility>

#include "analyzer/input/own_options.h"
#include "analyzer/shape/use_shape.h"

namespace physmem {
namespace {

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
              "  physmem units libssl --group process\n"
              "  physmem units libssl --who\n",
          .options = joined(
              {{{"who", "of certain files, which processes map which part of them"},
                {"full", "with --who, every part, and each process that maps it"},
                {"group",
                 "a row for each process, command, program, tree of processes, user or cgroup, "
                 "with its part of the files"}},
               use_options(UseGrouping::kUnit, "only this file, such as 'libssl*'")}),
          .words_are_files = true,
          .natural = Format::kCsv,
          .has_picture = true,
          .full_tables = 2,
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
  return {
      .name = "cgroups",
      .word = "cgroups",
      .help = "which cgroups pay for memory, and which use it",
      .examples =
          "  physmem cgroups\n"
          "  physmem cgroups nginx --full\n"
          "  docker ps --format '{{.ID}} {{.Names}}' >names\n"
          "  physmem cgroups --cgroup-names names\n",
      .options = joined(
          {{{"cgroup-names",
             "names of containers, pods and cgroups: lines of an id or path and a name", nullptr},
            {"full", "all columns and files; as CSV, also the tables of files"},
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
              "  physmem if-stopped --command firefox snap.txt\n"
              "  physmem if-stopped --need 2G --group cgroup\n",
          .options = joined(
              {{{"need", "choose processes, or groups of --group, that free so much", nullptr},
                {"group",
                 "what each process, command, program, tree of processes, user or "
                 "cgroup frees, as if only that ended"},
                {"top", "of --group and --need, only N rows, and what is chosen", "10 in text"},
                {"full", "as CSV, also the table of others that map the memory"}},
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

}  // namespace

std::vector<QuestionText> process_questions() {
  std::vector<QuestionText> all{summary(), overview(),      processes(),  mappings(), users(),
                                cgroups(), shared_memory(), if_stopped(), frame()};
  const auto add = [&all](std::vector<QuestionText> more) {
    for (QuestionText& question : more) all.push_back(std::move(question));
  };
  add(process_reports());
  all.push_back(folded());
  add(alert_questions());
  return all;
}

}  // namespace physmem
