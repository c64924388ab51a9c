// SPDX-License-Identifier: MIT
#include "tools/physmem/verb_help.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "analyzer/cli/parse_options.h"
#include "program/option_pages.h"
#include "program/option_text.h"

namespace physmem::command {
namespace {

const char* operands_of(const Verb& verb) {
  switch (verb.operand) {
    case Verb::Operand::kPid:
      return "PID [SNAPSHOT]...";
    case Verb::Operand::kBefore:
      return "OLD [NEW]";
    case Verb::Operand::kOutput:
      return "FILE";
    case Verb::Operand::kExport:
      return "-o FILE [SNAPSHOT]...";
    case Verb::Operand::kSnapshots:
      break;
  }
  return "[SNAPSHOT]...";
}

bool is_comparison(const Verb& verb) {
  return verb.operand == Verb::Operand::kBefore;
}

/// The texts of a verb, in the form of a program's. The list refers to them and to the verb.
class VerbPage {
 public:
  explicit VerbPage(const Verb& verb)
      : name_(fmt::format("{}{}{}", kProgramName, "-", verb.name)),
        usage_(fmt::format("  {} {} [OPTION]... {}\n", kProgramName, verb.name, operands_of(verb))),
        notes_(fmt::format("{}: {}\nAll its options: {} --help\n",
                           is_comparison(verb) ? "Without NEW" : "Without a snapshot",
                           command_of(verb), verb.program)),
        sections_(fmt::format("EXAMPLES\n{}\nEXIT STATUS\n  that of {}(1)\n", verb.examples,
                              verb.program)),
        program_{name_.c_str(), verb.help, usage_.c_str(), notes_.c_str(), sections_.c_str()},
        list_{program_, texts_of(verb), {{"OPTIONS", 0}}} {}

  const OptionList& list() const { return list_; }

 private:
  static std::vector<OptionText> texts_of(const Verb& verb) {
    std::vector<OptionText> texts;
    for (const VerbOption& option : verb.options) {
      OptionText text = option_texts({option.name}).back();
      if (!option.help.empty()) {
        text.help = option.help.c_str();
        text.fallback = option.fallback;
        text.example = nullptr;
      }
      texts.push_back(text);
    }
    return texts;
  }

  std::string name_, usage_, notes_, sections_;
  ProgramText program_;
  OptionList list_;
};

}  // namespace

std::string help_of(const Verb& verb) {
  return physmem::help_of(VerbPage(verb).list());
}

std::string man_page_of(const Verb& verb) {
  return physmem::man_page_of(VerbPage(verb).list());
}

}  // namespace physmem::command
