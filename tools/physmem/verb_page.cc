// SPDX-License-Identifier: MIT
#include "tools/physmem/verb_page.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tools/physmem/verbs.h"

namespace physmem::command {
namespace {

const char* operands_of(Operand operand) {
  switch (operand) {
    case Operand::kPid:
      return "PID [SNAPSHOT]...";
    case Operand::kFrames:
      return "NUMBER... [SNAPSHOT]...";
    case Operand::kBefore:
      return "OLD [NEW]";
    case Operand::kOutput:
      return "FILE";
    case Operand::kExport:
      return "-o FILE [SNAPSHOT]...";
    case Operand::kSnapshots:
      break;
  }
  return "[SNAPSHOT]...";
}

/// "  physmem-collect --ram | physmem-analyze --ask ledger", in two lines if it is long.
std::string commands_of(const QuestionText& question) {
  std::string text = "  physmem-collect";
  for (const std::string& word : collector_words(question.collect)) text += " " + word;
  std::string then = "physmem-analyze";
  if (!question.is_form) then += " " + option_of(question);
  if (question.operand == Operand::kBefore) then += " OLD -";
  if (question.operand == Operand::kExport) then += " -o FILE";
  constexpr std::size_t kColumns = 80;
  constexpr std::string_view kPipe = " | ";
  const bool fits = text.size() + kPipe.size() + then.size() <= kColumns;
  return text + (fits ? std::string(kPipe) : " |\n    ") + then;
}

/// One line, or two if the verb takes other paths than snapshots.
std::string usage_of(const QuestionText& question, const std::string& command) {
  std::string usage = fmt::format("  {} [OPTION]... {}\n", command, operands_of(question.operand));
  if (question.asks_paths) usage += fmt::format("  {} [OPTION]... PATH...\n", command);
  return usage;
}

std::string notes_of(const QuestionText& question) {
  const bool is_before = question.operand == Operand::kBefore;
  return fmt::format(
      "{}{}, the same as\n{}\n{}More options: physmem-analyze --help\n",
      question.asks_paths
          ? "PATH is a file, or a folder of files, whose cached pages are counted.\n"
          : "",
      is_before ? "Without NEW" : "Without a snapshot", commands_of(question),
      is_before ? "with the options of physmem-collect that give what OLD has.\n" : "");
}

}  // namespace

VerbPage::VerbPage(const QuestionText& question)
    : name_(fmt::format("{}-{}", kProgramName, question.word)),
      command_(fmt::format("{} {}", kProgramName, question.word)),
      usage_(usage_of(question, command_)),
      notes_(notes_of(question)),
      sections_(fmt::format("EXAMPLES\n{}\nEXIT STATUS\n  as in physmem-analyze(1)\n",
                            question.examples)),
      program_{.name = name_.c_str(),
               .purpose = question.help,
               .usage = usage_.c_str(),
               .notes = notes_.c_str(),
               .sections = sections_.c_str(),
               .related = "physmem-analyze(1), physmem-collect(1)",
               .command = command_.c_str()},
      options_(question, program_) {}

}  // namespace physmem::command
