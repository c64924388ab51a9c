// SPDX-License-Identifier: MIT
#include "tools/physmem/command_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <iostream>
#include <sstream>

#include "program/command_main.h"
#include "program/messages.h"
#include "program/option_completion.h"
#include "program/option_table.h"
#include "program/printable.h"
#include "tools/physmem/programs.h"
#include "tools/physmem/run_verb.h"
#include "tools/physmem/verb_page.h"
#include "tools/physmem/verbs.h"

namespace physmem::command {
namespace {

constexpr const char* kHelp = "opens the manual";

std::string verb_lines() {
  std::string lines;
  for (const Verb& verb : verbs()) lines += fmt::format("  {:<14} {}\n", verb.name, verb.help);
  return lines + fmt::format("  {:<14} {}\n", "help VERB", kHelp);
}

/// Options of the verbs that have their own, for completion.
std::vector<VerbText> verb_texts() {
  static std::deque<VerbPage> pages;
  static std::deque<OptionList> lists;
  std::vector<VerbText> texts;
  for (const Verb& verb : verbs()) {
    texts.push_back({verb.name, verb.help, verb.program == nullptr ? kProgramName : verb.program});
    if (verb.question == nullptr) continue;
    lists.push_back(pages.emplace_back(*verb.question).options().list());
    texts.back().options = &lists.back();
  }
  texts.push_back({"help", kHelp, nullptr});
  return texts;
}

/// "Other names: process, processes (ps) …", wrapped.
std::string guessed_lines() {
  constexpr std::size_t kColumns = 80;
  std::string lines, line = "Other names:";
  std::istringstream words(guessed_names() + ", version (--version)");
  for (std::string word; words >> word; line += " " + word)
    if (line.size() + 1 + word.size() > kColumns) {
      lines += line + "\n";
      line = " ";
    }
  return lines + line + "\n";
}

constexpr const char* kSections = R"(EXAMPLES
  which processes use most memory of their own?
    physmem ps --sort uss
  what does a library cost?
    physmem units --file 'libssl*'
  what does a container or service hold?
    physmem ps --group cgroup
  what grew since yesterday?
    physmem record yesterday.pmc.zst
    physmem diff yesterday.pmc.zst
  is this machine thrashing?
    physmem faults
  a table for a program:
    physmem ps --json --columns pid,command,pss
  a device that has no physmem: physmem-collect --help has a line with ssh

EXIT STATUS
  as of the program that runs; 2 for an unknown verb. See physmem-analyze(1)
)";

/// The verbs are in the text between usage and options.
const OptionTable<NoOptions>& option_table() {
  static const std::string kNotes =
      "Without a verb: what uses this machine's memory now. Verbs that analyse\n"
      "snapshots collect one of this machine if none is named. A word that is no\n"
      "file is looked for in commands and files: physmem ps chromium. The process that\n"
      "collected a snapshot is left out; physmem-analyze has it.\n\nVERBS\n" +
      verb_lines() + guessed_lines();
  static const ProgramText kProgram{kProgramName,
                                    "where does the physical memory of this Linux system go?",
                                    "  physmem [VERB] [OPTION]... [SNAPSHOT]...\n",
                                    kNotes.c_str(),
                                    kSections,
                                    "physmem-analyze(1), physmem-collect(1)"};
  static const OptionTable<NoOptions> kTable(kProgram, verb_texts());
  return kTable;
}

Exit failed(Error::Kind kind, const std::string& text) {
  return report_error(std::cerr, kProgramName, {kind, text});
}

/// "; did you mean ps?", or nothing.
std::string meant(const std::string& word) {
  const std::string_view nearest = nearest_verb(word);
  const bool is_pid = !word.empty() && word.find_first_not_of("0123456789") == std::string::npos;
  if (is_pid) return fmt::format("; did you mean ps {}?", word);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest);
}

/// The manual page of the verb or of the program, or the help if no manual is installed.
Exit help(const std::vector<std::string>& words) {
  if (words.size() > 1)
    return failed(Error::Kind::kUsage, fmt::format("help: found {} after {}, expected one verb",
                                                   in_quotes(words[1]), in_quotes(words.front())));
  const Verb* const verb = words.empty() ? nullptr : find_verb(words.front());
  if (!words.empty() && verb == nullptr)
    return failed(Error::Kind::kUsage,
                  fmt::format("help: found {}, expected a verb{} (physmem --help lists them)",
                              in_quotes(words.front()), meant(words.front())));
  const bool is_analysis = verb != nullptr && verb->question != nullptr;
  const std::string program = verb == nullptr || is_analysis ? kProgramName : verb->program;
  const std::string page = is_analysis ? fmt::format("{}-{}", program, verb->name) : program;
  const std::string script = "man \"$1\" 2>/dev/null || exec \"$0\" " +
                             std::string(is_analysis ? "\"$2\" " : "") + "--help";
  return report_error(
      std::cerr, kProgramName,
      replace_by({"sh", "-c", script, path_of(program), page, is_analysis ? verb->name : ""}));
}

Exit print_version() {
  char program[] = "physmem", option[] = "--version";
  char* argv[] = {program, option, nullptr};
  const auto options = parse_command_line(2, argv);
  return options ? print_instead(kProgramName, options->text_instead) : Exit::kUsage;
}

Result<NoOptions> finish(NoOptions options, const std::vector<std::string>&) {
  return options;
}

}  // namespace

bool is_own_option(std::string_view word) {
  word = word.substr(0, word.find('='));
  if (page_writer(word) != nullptr) return true;
  const OptionList list = option_table().list();
  return std::ranges::any_of(list.options, [word](const OptionText& option) {
    return word == std::string("--") + option.name ||
           (option.letter != 0 && word == std::string("-") + option.letter);
  });
}

Result<NoOptions> parse_command_line(int argc, char* argv[]) {
  return option_table().read(argc, argv, finish);
}

Exit run_words(int argc, char* argv[]) {
  std::vector<std::string> words(argv, argv + argc);
  if (words.empty()) return run_overview({});
  if (words.front() == "help") return help({words.begin() + 1, words.end()});
  if (words.front() == "version") return print_version();
  if (const Verb* const verb = find_verb(words.front()); verb != nullptr) {
    if (const char* const more = words_of(words.front())) words.insert(words.begin() + 1, more);
    return run_verb(*verb, std::move(words));
  }
  // Options before a snapshot, the snapshot of standard input, or a file.
  if (words.front().starts_with('-') || ::access(words.front().c_str(), F_OK) == 0)
    return run_overview(words);
  if (words.front().find_first_of("./") != std::string::npos)
    return failed(Error::Kind::kIo, fmt::format("{}: cannot open: {}", in_quotes(words.front()),
                                                std::strerror(errno)));
  return failed(Error::Kind::kUsage,
                fmt::format("found {}, expected a verb, such as ps, units or diff, or a snapshot{} "
                            "(physmem --help lists all)",
                            in_quotes(words.front()), meant(words.front())));
}

}  // namespace physmem::command
