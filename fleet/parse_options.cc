// SPDX-License-Identifier: MIT
#include "fleet/parse_options.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analyzer/analyze/filter_options.h"
#include "fleet/ask/questions.h"
#include "fleet/store/open_store.h"
#include "fleet/verbs.h"
#include "program/memory_option.h"
#include "program/missing_option.h"
#include "program/option_table.h"
#include "program/option_value.h"
#include "program/printable.h"

namespace physmem::fleet {
namespace {

const std::string kNotes =
    R"(A report is what one snapshot contributes to a history: units, regions,
counters, processes by name, alerts and, with the whole of RAM, its classes. It
has a few kilobytes. `rows` makes reports on the host itself, `load` puts them
into a store, and `ask` answers from the store. `load` reads snapshots too.

STORE is sqlite:FILE, a FILE that ends in .db, or in ClickHouse
clickhouse+http[s]://[USER@]HOST[:PORT]/DATABASE?password-file=FILE. Of a
cluster, the URL has all shards: HOST,HOST/DATABASE?cluster=NAME. A PATH is a
file with reports or snapshots, compressed or not, a directory of such files, or
- for standard input. What the store has already is skipped.

`remove` removes all that chosen hosts have reported: hosts that are gone, that
were a test, or whose clock was ahead.

`archive` copies snapshots into a folder and notes their places in the store, so
that an answer can end in a snapshot to open.

Questions:
)" + help_of_questions() +
    "\nThe options of one command: physmem-fleet COMMAND --help\n";

const ProgramText kProgram{kProgramName,
                           "keep what many hosts report, and answer questions about it",
                           "  physmem-fleet rows [OPTION]... [SNAPSHOT]...\n"
                           "  physmem-fleet load [OPTION]... STORE PATH...\n"
                           "  physmem-fleet ask QUESTION [OPTION]... STORE\n"
                           "  physmem-fleet schema STORE\n"
                           "  physmem-fleet rollup [--before TIME] STORE\n"
                           "  physmem-fleet expire --before TIME [--archive FOLDER] STORE\n"
                           "  physmem-fleet remove --host PATTERN [OPTION]... STORE\n"
                           "  physmem-fleet archive --archive FOLDER STORE SNAPSHOT...\n",
                           kNotes.c_str(),
                           R"(EXAMPLES
  physmem-collect | physmem-fleet rows -o report.rows.zst
  physmem-fleet load fleet.db day/
  physmem-fleet ask units fleet.db
  physmem-fleet ask changes --since 2026-11-21 fleet.db
  physmem-fleet ask trend --file '*/libc.so.6' -o trend.svg fleet.db
  physmem-fleet archive --archive kept fleet.db day/
  physmem-fleet ask snapshots --host web1 --since 2d --archive kept fleet.db

EXIT STATUS
  0 done   2 wrong usage   3 malformed input, or a sum of sizes above 2^63 bytes
  4 input/output error
  5 done, but files were damaged, data is missing, or a signal ended it early
)",
                           "physmem-analyze(1), physmem-upload(1)"};

Error usage(const std::string& text) {
  return usage_error(kProgramName, text);
}

template <auto kMember>
std::string set_time(Options& options, const char* value) {
  options.*kMember = parse_time(value);
  return options.*kMember ? "" : kTimeForm;
}

std::string set_form(Options& options, const char* value) {
  const std::string_view form = value;
  if (form != "text" && form != "csv" && form != "json") return "text, csv or json";
  options.form = form == "text" ? Form::kText : form == "csv" ? Form::kCsv : Form::kJson;
  return {};
}

std::string set_top(Options& options, const char* value) {
  options.top = number_of<std::size_t>(value);
  return options.top && *options.top != 0 ? "" : "a number of rows above 0";
}

const std::vector<OptionRow<Options>> kReports{
    {{0, "release", "TEXT", "release of the software on the host, which reports keep", "none",
      "2026.11"},
     set_text<&Options::release>},
    {{0, "archive", "PATH",
      "rows: where the snapshot itself is kept; archive: the folder of snapshots; ask: the same, "
      "to print whole paths; expire: remove its old snapshots, not reports",
      "none"},
     set_text<&Options::archive>},
    {{0, "state", "FILE",
      "rows: keep the alerts of this host in FILE, so that the next report has only what "
      "changed, and number its reports, so that missing ones are found",
      "none; all alerts count as new"},
     set_text<&Options::state>},
    {{0, "replace", nullptr, "load: read again what the store has"}, set_true<&Options::replaces>},
    {{0, "remove", nullptr,
      "load: remove each file when the store has what it contains. Others stay: damaged files, and "
      "those with snapshots from before expire --before or more than a day ahead"},
     set_true<&Options::removes>},
    {{0, "by-folder", nullptr,
      "load: the identity of a host and its name are the folder below PATH that has the file, as "
      "nginx names it after the certificate, whatever the report says"},
     set_true<&Options::is_by_folder>},
    {{0, "follow", nullptr,
      "load: go on with new files until SIGTERM; a file counts as whole when it has its name"},
     set_true<&Options::follows>},
    {kMaxMemoryOption, set_memory<&Options::max_memory>}};

const std::vector<OptionRow<Options>> kQuestionOptions{
    {{0, "since", "TIME",
      "ask, remove: from this time on: 2026-11-21, 2026-11-21T10:00:00Z, or 7d, 12h, 30m ago",
      "the first"},
     set_time<&Options::since>},
    {{0, "until", "TIME", "ask, remove: before this time",
      "of ask in an hour, because later clocks are wrong; of remove none"},
     set_time<&Options::until>},
    {{0, "before", "TIME",
      "ask changes: compare with the time before this one; rollup: sum up days before it; expire: "
      "remove what is older",
      "--since, and of rollup now"},
     set_time<&Options::before>},
    {{0, "host", "PATTERN",
      "ask, remove: only hosts whose latest name from --since to --until fits: a shell pattern "
      "with * ? [a-z], or a regular expression between slashes; or whose machine id, as ask hosts "
      "prints it, is PATTERN. May be repeated",
      "of ask all", "'web*'"},
     add_pattern<&Options::hosts>},
    {{0, "dry-run", nullptr, "remove: only report what would be removed"},
     set_true<&Options::is_dry_run>},
    {{0, "file", "PATTERN", "ask: only files whose path fits, likewise", "all", "'*/libc.so.6'",
      "unit"},
     add_pattern<&Options::units>},
    {{0, "top", "N", "ask: only the first N rows", "all"}, set_top},
    {{0, "full", nullptr, "ask leaks: also what does not grow, and why"},
     set_true<&Options::is_full>},
    {{0, "format", "FORM", "ask: text, csv or json", "text"}, set_form},
    {{0, "spreadsheet", nullptr,
      "ask: in CSV, put an apostrophe before a text that begins with = + - @ or a tab, because a "
      "spreadsheet evaluates it as a formula. Hosts choose their names and those of processes"},
     set_true<&Options::for_spreadsheet>}};

const std::vector<OptionRow<Options>> kOutput{
    {{'o', "output", "FILE",
      "write to FILE, which appears whole or not at all. Reports in a name ending in .zst are "
      "compressed; answers in a name ending in .svg, .png, .pdf or .ps are charts, and in .csv "
      "or .json in that form",
      "-, standard output"},
     set_text<&Options::output>},
    {kAllowMissingOption, allow_missing<Options>}};

const OptionTable<Options> kTable(
    kProgram, {{"REPORTS", kReports}, {"QUESTIONS", kQuestionOptions}, {"OUTPUT", kOutput}},
    verb_texts());

bool is_picture_name(std::string_view name) {
  return name.ends_with(".svg") || name.ends_with(".png") || name.ends_with(".pdf") ||
         name.ends_with(".ps");
}

std::string first_unfit(const Options& options, const QuestionRow& question) {
  if (!question.is_of_files && !options.units.empty()) return "--file";
  if (!question.has_archive && !options.archive.empty()) return "--archive";
  if (question.name != "leaks" && options.is_full) return "--full";
  return {};
}

/// The form that the name of the output chooses.
Result<Options> take_form(Options options, const QuestionRow& question) {
  if (!options.form && options.output.ends_with(".csv")) options.form = Form::kCsv;
  if (!options.form && options.output.ends_with(".json")) options.form = Form::kJson;
  if (options.output.ends_with(".zst"))
    return usage(wrong_value("--output", options.output,
                             "a name without .zst, because answers are not compressed"));
  if (is_picture_name(options.output)) {
    if (options.form) return usage(conflicts_with("--format", "a chart"));
    if (!question.has_picture)
      return usage(wrong_value("--output", options.output,
                               "a chart of " + picture_form() + ", or another name"));
    options.form = Form::kPicture;
  }
  if (options.for_spreadsheet && options.form != Form::kCsv)
    return usage(requires_option("--spreadsheet", "--format csv"));
  return options;
}

Result<Options> take_question(Options options) {
  if (options.paths.empty()) return usage("ask: found no question, expected " + question_form());
  options.question = options.paths.front();
  options.paths.erase(options.paths.begin());
  const QuestionRow* const row = find_question(options.question);
  if (row == nullptr)
    return usage("ask: found " + in_quotes(options.question) + ", expected " + question_form());
  if (const std::string option = first_unfit(options, *row); !option.empty())
    return usage(option + ": has no effect with ask " + options.question);
  if (options.question == "changes" && !options.since)
    return usage(requires_option("ask changes", "--since"));
  if (options.question != "changes" && options.before)
    return usage("--before: expected ask changes, rollup or expire with it");
  return take_form(std::move(options), *row);
}

Result<Options> take_store(Options options) {
  if (options.paths.empty())
    return usage(std::string("found no STORE, expected ") + kStoreForm +
                 (options.verb == Verb::kSchema ? ", or sqlite or clickhouse" : ""));
  options.store = options.paths.front();
  options.paths.erase(options.paths.begin());
  if (options.verb == Verb::kLoad) {
    if (options.paths.empty()) return usage("load: found no PATH, expected reports or snapshots");
    const bool has_stdin =
        std::find(options.paths.begin(), options.paths.end(), "-") != options.paths.end();
    if (has_stdin && (options.follows || options.paths.size() > 1))
      return usage("load: found - with " +
                   std::string(options.follows ? "--follow" : "other paths") +
                   ", expected it alone");
  } else if (options.verb == Verb::kArchive) {
    if (options.paths.empty()) return usage("archive: found no SNAPSHOT, expected files");
    if (options.paths.front() == "-") return usage("archive: found -, expected files of snapshots");
  } else if (!options.paths.empty()) {
    return usage("found " + in_quotes(options.paths.front(), kWholePath) +
                 ", expected nothing more after " + in_quotes(options.store, kWholePath));
  }
  return options;
}

Result<Options> finished(Options options, const std::vector<std::string>& operands) {
  if (operands.empty()) return usage(std::string("found no verb, expected ") + kVerbForm);
  const auto verb = find_verb(operands.front());
  if (!verb) return usage("found " + in_quotes(operands.front()) + ", expected " + kVerbForm);
  options.verb = *verb;
  options.paths.assign(operands.begin() + 1, operands.end());
  if (const std::string option = first_unfit(options); !option.empty())
    return usage(option + ": has no effect with " + operands.front());
  if (options.verb == Verb::kRows) {
    if (options.paths.empty()) options.paths = {"-"};
    return options;
  }
  if (options.verb == Verb::kExpire && !options.before)
    return usage(requires_option("expire", "--before"));
  if (options.verb == Verb::kRemove && options.hosts.empty())
    return usage(requires_option("remove", "--host") +
                 ", because it would remove the snapshots of all hosts");
  if (options.verb == Verb::kArchive && options.archive.empty())
    return usage(requires_option("archive", "--archive"));
  if (options.verb != Verb::kAsk) return take_store(std::move(options));
  auto asked = take_question(std::move(options));
  return asked ? take_store(std::move(*asked)) : std::move(asked);
}

}  // namespace

Result<Options> parse_options(int argc, char* argv[]) {
  return kTable.read(argc, argv, finished);
}

}  // namespace physmem::fleet
