// SPDX-License-Identifier: MIT
#include "fleet/verbs.h"

#include <algorithm>
#include <array>

#include "fleet/ask/questions.h"
#include "program/missing_option.h"

namespace physmem::fleet {
namespace {

struct VerbRow {
  Verb verb;
  const char* name;
  const char* help;
  const char* usage;
  const char* notes;
  const char* examples;
  bool has_store_note = true;
};

constexpr const char* kStoreNote =
    R"(STORE is sqlite:FILE, a FILE that ends in .db, or in ClickHouse
clickhouse+http[s]://[USER@]HOST[:PORT]/DATABASE?password-file=FILE. Of a
cluster, the URL has all shards: HOST,HOST/DATABASE?cluster=NAME.
)";

constexpr std::array<VerbRow, 8> kVerbRows{{
    {Verb::kRows, "rows", "snapshots to reports",
     "  physmem-fleet rows [OPTION]... [SNAPSHOT]...\n",
     R"(A report is what one snapshot contributes to a history: units, regions,
counters, processes by name, alerts and, with the whole of RAM, its classes. It
has a few kilobytes. Without SNAPSHOT, or with -, standard input is read.
)",
     R"(  physmem-collect | physmem-fleet rows -o report.rows.zst
  physmem-fleet rows --state /var/lib/physmem/fleet.state snapshot.pmc.zst
)",
     false},
    {Verb::kLoad, "load", "reports or snapshots into a store",
     "  physmem-fleet load [OPTION]... STORE PATH...\n",
     R"(A PATH is a file with reports or snapshots, compressed or not, a directory of
such files, or - for standard input. What the store has already is skipped. A
store that does not exist is created.
)",
     R"(  physmem-fleet load fleet.db day/
  physmem-fleet load --follow --by-folder --remove fleet.db /srv/reports
)"},
    {Verb::kAsk, "ask", "answer a question from a store",
     "  physmem-fleet ask QUESTION [OPTION]... STORE\n", "QUESTION is one of:\n",
     R"(  physmem-fleet ask units fleet.db
  physmem-fleet ask changes --since 2026-11-21 fleet.db
  physmem-fleet ask trend --file '*/libc.so.6' -o trend.svg fleet.db
  physmem-fleet ask snapshots --host web1 --since 2d --archive kept fleet.db
)"},
    {Verb::kSchema, "schema", "print the SQL that creates a store",
     "  physmem-fleet schema STORE\n",
     R"(The store is not opened. Instead of STORE, the word sqlite stands for any file,
and clickhouse for the database physmem of one server. Run the SQL of a cluster
on each of its servers. `load` creates a store by itself.
)",
     R"(  physmem-fleet schema fleet.db
  physmem-fleet schema clickhouse | clickhouse-client --multiquery
  physmem-fleet schema 'clickhouse+http://db1,db2/physmem?cluster=physmem'
)"},
    {Verb::kRollup, "rollup", "sum up days that are over",
     "  physmem-fleet rollup [OPTION]... STORE\n",
     "Questions about units then read the sums of these days.\n",
     "  physmem-fleet rollup fleet.db\n"},
    {Verb::kExpire, "expire", "remove old reports; sums of days stay",
     "  physmem-fleet expire --before TIME [OPTION]... STORE\n",
     R"(Questions about units then have the sums of these days. With --archive, old
snapshots are removed from a folder, and reports stay.
)",
     R"(  physmem-fleet expire --before 90d fleet.db
  physmem-fleet expire --before 30d --archive kept fleet.db
)"},
    {Verb::kRemove, "remove", "remove what chosen hosts have reported",
     "  physmem-fleet remove --host PATTERN [OPTION]... STORE\n",
     R"(For hosts that are gone, that were a test, or whose clock was ahead: removes all
of their snapshots, also future ones, or only snapshots from --since on and
before --until. A host that still sends reports is back with the next one.

Days that still have facts are summed up again by `rollup`. If `expire` has left
only the sums of a day, the hosts' sums are removed too; the trend of such a day
covers all hosts, and stays.
)",
     R"(  physmem-fleet remove --host web1 --dry-run fleet.db
  physmem-fleet remove --host 'test*' fleet.db
  physmem-fleet remove --host web1 --since 2027-01-01 fleet.db
)"},
    {Verb::kArchive, "archive", "keep snapshots, and note where they are",
     "  physmem-fleet archive --archive FOLDER [OPTION]... STORE SNAPSHOT...\n",
     R"(Copies snapshots into a folder and notes their places in the store, so that an
answer can end in a snapshot to open.
)",
     "  physmem-fleet archive --archive kept fleet.db day/\n"},
}};

/// An option with one verb. Its help for all verbs begins with those that it is for.
struct VerbUse {
  Verb verb;
  const char* help = nullptr;      ///< instead of the help for all verbs
  const char* fallback = nullptr;  ///< instead of that for all verbs; with `help`, none is none
};

struct OptionUse {
  const char* name;
  bool (*is_given)(const Options&);
  std::vector<VerbUse> verbs;
};

const std::vector<OptionUse> kOptionUses{
    {"release",
     [](const Options& o) { return !o.release.empty(); },
     {{Verb::kRows}, {Verb::kLoad}, {Verb::kArchive}}},
    {"archive",
     [](const Options& o) { return !o.archive.empty(); },
     {{Verb::kRows, "where the snapshot itself is kept", "none"},
      {Verb::kAsk, "the folder of snapshots, to print whole paths", "none"},
      {Verb::kExpire, "remove old snapshots of this folder, not reports", "none"},
      {Verb::kArchive, "the folder of snapshots"}}},
    {"state", [](const Options& o) { return !o.state.empty(); }, {{Verb::kRows}}},
    {"replace", [](const Options& o) { return o.replaces; }, {{Verb::kLoad}}},
    {"follow", [](const Options& o) { return o.follows; }, {{Verb::kLoad}}},
    {"remove", [](const Options& o) { return o.removes; }, {{Verb::kLoad}}},
    {"by-folder", [](const Options& o) { return o.is_by_folder; }, {{Verb::kLoad}}},
    {"since",
     [](const Options& o) { return o.since.has_value(); },
     {{Verb::kAsk}, {Verb::kRemove}}},
    {"until",
     [](const Options& o) { return o.until.has_value(); },
     {{Verb::kAsk, nullptr, "in an hour, because later clocks are wrong"},
      {Verb::kRemove, nullptr, "none"}}},
    {"before",
     [](const Options& o) { return o.before.has_value(); },
     {{Verb::kAsk, "changes: compare with the time before this one", "--since"},
      {Verb::kRollup, "sum up days before this time", "now"},
      {Verb::kExpire, "remove what is older: 2026-11-21, 2026-11-21T10:00:00Z, or 90d"}}},
    {"host",
     [](const Options& o) { return !o.hosts.empty(); },
     {{Verb::kAsk, nullptr, "all"},
      {Verb::kRemove,
       "hosts whose latest name from --since to --until fits: a shell pattern with * ? [a-z], or "
       "a regular expression between slashes; or whose machine id, as ask hosts prints it, is "
       "PATTERN. May be repeated"}}},
    {"dry-run", [](const Options& o) { return o.is_dry_run; }, {{Verb::kRemove}}},
    {"file", [](const Options& o) { return !o.units.empty(); }, {{Verb::kAsk}}},
    {"top", [](const Options& o) { return o.top.has_value(); }, {{Verb::kAsk}}},
    {"full", [](const Options& o) { return o.is_full; }, {{Verb::kAsk}}},
    {"format", [](const Options& o) { return o.form.has_value(); }, {{Verb::kAsk}}},
    {"spreadsheet", [](const Options& o) { return o.for_spreadsheet; }, {{Verb::kAsk}}},
    {"output",
     [](const Options& o) { return o.output != "-"; },
     {{Verb::kRows,
       "write to FILE, which appears whole or not at all. A name ending in .zst is compressed",
       "-, standard output"},
      {Verb::kAsk,
       "write to FILE, which appears whole or not at all. A name ending in .svg, .png, .pdf or "
       ".ps makes a chart, and .csv or .json chooses that form",
       "-, standard output"}}},
    {kAllowMissingOption.name,
     [](const Options&) { return false; },
     {{Verb::kRows}, {Verb::kLoad}}},
    {"max-memory",
     [](const Options& o) { return o.max_memory.has_value(); },
     {{Verb::kRows},
      {Verb::kLoad},
      {Verb::kAsk},
      {Verb::kRollup},
      {Verb::kExpire},
      {Verb::kRemove},
      {Verb::kArchive}}}};

const VerbRow& row_of(Verb verb) {
  return *std::find_if(kVerbRows.begin(), kVerbRows.end(),
                       [&](const VerbRow& row) { return row.verb == verb; });
}

/// Nothing: the option has no effect with the verb.
std::optional<VerbUse> use_of(const OptionUse& option, Verb verb) {
  const auto found = std::find_if(option.verbs.begin(), option.verbs.end(),
                                  [&](const VerbUse& use) { return use.verb == verb; });
  return found == option.verbs.end() ? std::nullopt : std::optional(*found);
}

/// The help for one verb: "ask, remove: only hosts" is "only hosts", and "ask leaks: also" is
/// "leaks: also".
const char* without_verb(const char* help, const std::string& verb) {
  const std::string text = help;
  const std::size_t end = std::min(text.find(": "), text.size());
  if ((", " + text.substr(0, end) + ", ").find(", " + verb + ", ") != text.npos)
    return help + end + 2;
  return text.starts_with(verb + " ") ? help + verb.size() + 1 : help;
}

OptionText for_verb(OptionText text, const VerbUse& use, const VerbRow& row) {
  text.help = use.help != nullptr ? use.help : without_verb(text.help, row.name);
  if (use.help != nullptr || use.fallback != nullptr) text.fallback = use.fallback;
  return text;
}

/// The options that the verb takes, in the order of `all`, and --help.
std::vector<OptionText> texts_for(const VerbRow& row, const std::vector<OptionText>& all) {
  std::vector<OptionText> texts;
  for (const OptionText& text : all) {
    const std::string_view name = text.name;
    if (name == "help") texts.push_back(text);
    for (const OptionUse& option : kOptionUses)
      if (const auto use = use_of(option, row.verb); use && name == option.name)
        texts.push_back(for_verb(text, *use, row));
  }
  return texts;
}

/// The page of --help after a verb.
std::string page_of(const OptionList& list, const VerbText& verb) {
  const VerbRow& row = row_of(*find_verb(verb.name));
  const std::string name = std::string(kProgramName) + " " + row.name;
  const std::string_view all = list.program.sections;
  const std::string sections =
      std::string("EXAMPLES\n") + row.examples + "\n" + std::string(all.substr(all.find("EXIT")));
  const std::string notes = row.notes +
                            (row.verb == Verb::kAsk ? help_of_questions() : std::string()) +
                            (row.has_store_note ? "\n" + std::string(kStoreNote) : "");
  const ProgramText program{name.c_str(), row.help, row.usage, notes.c_str(), sections.c_str()};
  return help_of({program, texts_for(row, list.options), {{"OPTIONS", 0}}});
}

}  // namespace

std::vector<VerbText> verb_texts() {
  std::vector<VerbText> texts;
  texts.reserve(std::size(kVerbRows));
  for (const VerbRow& row : kVerbRows)
    texts.push_back({row.name, row.help, kProgramName, page_of,
                     row.verb == Verb::kAsk ? question_form().c_str() : ""});
  return texts;
}

std::optional<Verb> find_verb(std::string_view name) {
  const auto* const found = std::find_if(kVerbRows.begin(), kVerbRows.end(),
                                         [&](const VerbRow& row) { return row.name == name; });
  return found == kVerbRows.end() ? std::nullopt : std::optional(found->verb);
}

std::string first_unfit(const Options& options) {
  for (const OptionUse& option : kOptionUses)
    if (option.is_given(options) && !use_of(option, options.verb))
      return std::string("--") + option.name;
  return {};
}

}  // namespace physmem::fleet
