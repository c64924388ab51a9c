// SPDX-License-Identifier: MIT
#include "command/verb_help.h"

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
    case Verb::Operand::kSnapshots:
      break;
  }
  return "[SNAPSHOT]...";
}

/// The texts of a verb, in the form of a program's. The list refers to them.
class VerbPage {
 public:
  explicit VerbPage(const Verb& verb)
      : name_(fmt::format("{}{}{}", kProgramName, "-", verb.name)),
        usage_(fmt::format("  {} {} [OPTION]... {}\n", kProgramName, verb.name, operands_of(verb))),
        notes_(fmt::format("Without a snapshot: {}\nAll options: {} --help\n", command_of(verb),
                           verb.program)),
        sections_(fmt::format("EXAMPLES\n{}\nEXIT STATUS\n  that of {}(1)\n", verb.examples,
                              verb.program)),
        program_{name_.c_str(), verb.help, usage_.c_str(), notes_.c_str(), sections_.c_str()},
        list_{program_, option_texts(options_of(verb)), {{"OPTIONS", 0}}} {}

  const OptionList& list() const { return list_; }

 private:
  static std::vector<const char*> options_of(const Verb& verb) {
    std::vector<const char*> options = verb.options;
    options.insert(options.end(), {"name", "user", "cgroup", "text", "csv", "json", "output"});
    return options;
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
