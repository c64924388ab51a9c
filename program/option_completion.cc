// SPDX-License-Identifier: MIT
#include "program/option_completion.h"

#include <algorithm>

#include "program/option_pages.h"

namespace physmem {
namespace {

bool takes_file(const OptionText& option) {
  const std::string_view value = option.value == nullptr ? "" : option.value;
  return value.starts_with("FILE") || value == "DIR";
}

/// Values that a shell finds when a user presses Tab: what prints them in bash, zsh and fish.
struct LiveValues {
  std::string_view option;
  const char* bash;
  const char* zsh;
  const char* fish;
};
constexpr LiveValues kLiveValues[] = {
    {"pid", "$(cd /proc && echo [0-9]*)", "{_sequence compadd - /proc/[0-9]*(:t)}",
     "(__fish_append , (string match -r \"[0-9]+\" /proc/[0-9]*))"},
    {"user", "$(compgen -u)", "_sequence _users",
     "(__fish_append , (__fish_complete_users | string split -f 1 \\t))"},
    {"cgroup", "$(cd /sys/fs/cgroup 2>/dev/null && find * -type d -printf \"/%p \")",
     "{compadd - /${^$(cd /sys/fs/cgroup && find * -type d)}}",
     "(string replace /sys/fs/cgroup \"\" /sys/fs/cgroup/**/)"}};

/// nullptr: the shell knows no values.
const LiveValues* live_values(const OptionText& option) {
  for (const LiveValues& values : kLiveValues)
    if (option.value != nullptr && values.option == option.name) return &values;
  return nullptr;
}

const ValueChoices& choices_at(const OptionList& list, std::size_t option) {
  static const ValueChoices kAny;
  return option < list.choices.size() ? list.choices[option] : kAny;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

/// The other programs of the verbs, in the order of their first verbs.
std::vector<std::string> programs_of(const OptionList& list) {
  std::vector<std::string> programs;
  for (const VerbText& verb : list.verbs)
    if (verb.program != nullptr && verb.program != std::string_view(list.program.name) &&
        std::find(programs.begin(), programs.end(), verb.program) == programs.end())
      programs.emplace_back(verb.program);
  return programs;
}

/// Empty `program`: the verbs after which another one follows.
std::vector<std::string> verbs_of(const OptionList& list, std::string_view program) {
  std::vector<std::string> names;
  for (const VerbText& verb : list.verbs)
    if (program == (verb.program == nullptr ? "" : verb.program)) names.emplace_back(verb.name);
  return names;
}

std::vector<std::string> verbs_of(const OptionList& list) {
  std::vector<std::string> names;
  for (const VerbText& verb : list.verbs) names.emplace_back(verb.name);
  return names;
}

/// The words in bash after which the option's value follows. A value that may be missing follows
/// "=" only.
std::string bash_pattern(const OptionText& option) {
  const std::string name = std::string("--") + option.name;
  if (has_optional_value(option)) return name + "=";
  return (option.letter != 0 ? std::string("-") + option.letter + "|" : "") + name + "|" + name +
         "=";
}

std::string bash_choices(const ValueChoices& choices) {
  const std::string words = " -W '" + joined(choices.words, " ") + "' -- ";
  if (!choices.is_list) return "      COMPREPLY=($(compgen" + words + "\"$word\"))\n";
  return "      [[ $word == *,* ]] && first=${word%,*},\n      COMPREPLY=($(compgen -P \"$first\"" +
         words + "\"${word##*,}\"))\n";
}

/// Completes the value of an option.
std::string bash_values(const OptionList& list) {
  std::string cases, other_values;
  for (std::size_t i = 0; i < list.options.size(); ++i) {
    const OptionText& option = list.options[i];
    if (option.value == nullptr || takes_file(option)) continue;
    const ValueChoices& choices = choices_at(list, i);
    if (const LiveValues* const live = live_values(option))
      cases += "    " + bash_pattern(option) +
               ")\n      compopt +o default\n      [[ $word == *,* ]] && first=${word%,*},\n"
               "      COMPREPLY=($(compgen -P \"$first\" -W '" +
               live->bash + "' -- \"${word##*,}\"))\n      return\n      ;;\n";
    else if (choices.words.empty())
      other_values += (other_values.empty() ? "" : "|") + bash_pattern(option);
    else
      cases += "    " + bash_pattern(option) + ")\n      compopt +o default\n" +
               bash_choices(choices) + "      return\n      ;;\n";
  }
  if (!other_values.empty()) cases += "    " + other_values + ") compopt +o default; return ;;\n";
  return cases.empty() ? "" : "  case $before in\n" + cases + "  esac\n";
}

/// Completes the word after a verb: "  VERB) " and `complete` with the words that may follow, for
/// each verb that has some.
std::string cases_of_next_words(const OptionList& list, const std::string& indent,
                                const std::string& complete, const std::string& end) {
  std::string cases;
  for (const VerbText& verb : list.verbs)
    if (const ValueChoices next = choices_of(verb.next); !next.words.empty())
      cases +=
          indent + verb.name + ") " + complete + joined(next.words, " ") + end + "; return ;;\n";
  return cases;
}

std::string bash_next_words(const OptionList& list) {
  const std::string cases =
      cases_of_next_words(list, "      ", "COMPREPLY=($(compgen -W '", "' -- \"$word\"))");
  if (cases.empty()) return "";
  return "  if ((COMP_CWORD == 2)) && [[ $word != -* ]]; then\n    case ${COMP_WORDS[1]} in\n" +
         cases + "    esac\n  fi\n";
}

std::string zsh_next_words(const OptionList& list) {
  const std::string cases = cases_of_next_words(list, "    ", "compadd - ", "");
  if (cases.empty()) return "";
  return "if ((CURRENT == 3)) && [[ $words[3] != -* ]]; then\n  case $words[2] in\n" + cases +
         "  esac\nfi\n";
}

/// "_physmem_top": a name for shells.
std::string function_of(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return "_" + name;
}

/// Lines of a case: "VERB) CALL_FUNCTION" for each verb with options of its own.
std::string cases_of_own_options(const OptionList& list, const std::string& call) {
  std::string cases;
  for (const VerbText& verb : list.verbs)
    if (verb.options != nullptr)
      cases += std::string("    ") + verb.name + ") " + call +
               function_of(verb.options->program.name) + "; return ;;\n";
  return cases;
}

/// Completes a verb, and after it its options, or the words of its program, by a file of the same
/// folder.
std::string bash_verbs(const OptionList& list) {
  if (list.verbs.empty()) return "";
  std::string text = "  local verbs='" + joined(verbs_of(list), " ") + "' program=" + R"(
  if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
    COMPREPLY=($(compgen -W "$verbs" -- "$word"))
    return
  fi
  case ${COMP_WORDS[1]} in
)";
  for (const std::string& program : programs_of(list))
    text += "    " + joined(verbs_of(list, program), "|") + ") program=" + program + " ;;\n";
  if (const auto names = verbs_of(list, ""); !names.empty())
    text += "    " + joined(names, "|") +
            ") COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\")); return ;;\n";
  return text + cases_of_own_options(list, "") + R"(  esac
  if [[ $program ]]; then
    declare -F "_${program//-/_}" >/dev/null || . "${BASH_SOURCE[0]%/*}/$program"
    "_${program//-/_}"
    return
  fi
)" + bash_next_words(list);
}

/// For a word in single quotes of a shell, inside brackets of zsh's _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\'";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string zsh_action(const OptionText& option, const ValueChoices& choices) {
  if (takes_file(option)) return "_files";
  if (const LiveValues* const live = live_values(option)) return live->zsh;
  if (choices.words.empty()) return "";
  if (choices.is_list) return "_sequence compadd - " + joined(choices.words, " ");
  return "(" + joined(choices.words, " ") + ")";
}

std::string zsh_option(const OptionText& option, const ValueChoices& choices) {
  const bool has_value = option.value != nullptr;
  const std::string value = has_value
                                ? (has_optional_value(option) ? "::" : ":") +
                                      zsh_text(option.value) + ":" + zsh_action(option, choices)
                                : "";
  const std::string tail = "[" + zsh_text(full_help(option)) + "]" + value + "' \\\n";
  std::string lines = std::string("  '--") + option.name +
                      (has_optional_value(option) ? "=-"
                       : has_value                ? "="
                                                  : "") +
                      tail;
  if (option.letter != 0)
    lines += std::string("  '-") + option.letter + (has_value ? "+" : "") + tail;
  return lines;
}

std::string zsh_verbs(const OptionList& list) {
  if (list.verbs.empty()) return "";
  std::string text = "local -a verbs=(\n";
  for (const VerbText& verb : list.verbs)
    text += "  '" + std::string(verb.name) + ":" + zsh_text(verb.help) + "'\n";
  text += R"()
local program=
if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
  _describe verb verbs
  _files
  return
fi
case $words[2] in
)";
  for (const std::string& program : programs_of(list))
    text += "  " + joined(verbs_of(list, program), "|") + ") program=" + program + " ;;\n";
  if (const auto names = verbs_of(list, ""); !names.empty())
    text += "  " + joined(names, "|") + ") _describe verb verbs; return ;;\n";
  return text + cases_of_own_options(list, "shift words; ((CURRENT--)); ") + R"(esac
if [[ -n $program ]]; then
  shift words
  words[1]=$program
  ((CURRENT--))
  "_$program"
  return
fi
)" + zsh_next_words(list);
}

/// In single quotes.
std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

/// The arguments of complete for the value of an option. A value that may be missing follows "="
/// only.
std::string fish_value(const OptionText& option, const ValueChoices& choices) {
  if (option.value == nullptr) return "";
  std::string flag = has_optional_value(option) ? "" : takes_file(option) ? " -r" : " -x";
  if (const LiveValues* const live = live_values(option)) return flag + " -a '" + live->fish + "'";
  if (choices.words.empty()) return flag;
  const std::string words = joined(choices.words, " ");
  return flag + (choices.is_list ? " -a '(__fish_append , " + words + ")'" : " -a '" + words + "'");
}

/// Functions that complete the words after a verb like the words of its program.
std::string fish_programs(const OptionList& list, const std::string& function) {
  std::string text = "function " + function + "_program\n" + R"(    set -l words (commandline -opc)
    switch "$words[2]"
)";
  for (const std::string& program : programs_of(list))
    text += "        case " + joined(verbs_of(list, program), " ") + "\n            echo " +
            program + "\n";
  return text + R"(        case '*'
            return 1
    end
end
)" + "function " +
         function + R"(_rest
    set -l program ()" +
         function + R"(_program)
    set -l words (commandline -opc)
    set -e words[1..2]
    complete -C (string join ' ' -- $program (string escape -- $words) (commandline -ct))
end
)" + "complete -c " +
         list.program.name + " -n " + function + "_program -f -a '(" + function + "_rest)'\n";
}

std::string fish_verbs(const OptionList& list, const std::string& function) {
  std::string text = programs_of(list).empty() ? "" : fish_programs(list, function);
  const std::string complete = std::string("complete -c ") + list.program.name;
  for (const VerbText& verb : list.verbs) {
    text += complete + " -n '__fish_is_nth_token 1' -a " + verb.name + " -d " +
            fish_text(verb.help) + "\n";
    const bool is_before_verb = verb.program == nullptr;
    const std::vector<std::string> next =
        is_before_verb ? verbs_of(list) : choices_of(verb.next).words;
    if (!next.empty())
      text += complete + " -n '__fish_is_nth_token 2; and __fish_seen_subcommand_from " +
              verb.name + "' -f -a '" + joined(next, " ") + "'\n";
  }
  return text;
}

/// `complete`: the beginning of each line.
std::string fish_options(const OptionList& list, const std::string& complete) {
  std::string text;
  for (std::size_t i = 0; i < list.options.size(); ++i) {
    const OptionText& option = list.options[i];
    text += complete + " -l " + option.name +
            (option.letter != 0 ? std::string(" -s ") + option.letter : "") +
            fish_value(option, choices_at(list, i)) + " -d " + fish_text(full_help(option)) + "\n";
  }
  return text;
}

/// The function that completes a command line.
std::string bash_function(const OptionList& list) {
  std::vector<std::string> options;
  for (const OptionText& option : list.options) options.push_back(std::string("--") + option.name);
  return function_of(list.program.name) + R"(() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} first=
  if [[ $word == = ]]; then
    word= before+==
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}=
  fi
)" + bash_verbs(list) +
         bash_values(list) + "  [[ $word == -* ]] || return\n  COMPREPLY=($(compgen -W '" +
         joined(options, " ") + "' -- \"$word\"))\n}\n";
}

std::string zsh_arguments(const OptionList& list) {
  std::string text = "_arguments -s -S \\\n";
  for (std::size_t i = 0; i < list.options.size(); ++i)
    text += zsh_option(list.options[i], choices_at(list, i));
  return text + "  '*:file:_files'\n";
}

}  // namespace

ValueChoices choices_of(std::string_view expected) {
  constexpr std::string_view kList = ", separated by commas", kOr = " or ", kComma = ", ";
  ValueChoices choices;
  choices.is_list = expected.ends_with(kList);
  if (choices.is_list) expected.remove_suffix(kList.size());
  std::string words(expected);
  if (const std::size_t last = words.rfind(kOr); last != std::string::npos)
    words.replace(last, kOr.size(), kComma);
  words += kComma;
  for (std::size_t end = 0; (end = words.find(kComma)) != std::string::npos;
       words.erase(0, end + kComma.size())) {
    choices.words.push_back(words.substr(0, end));
    if (end == 0 || choices.words.back().find_first_not_of("abcdefghijklmnopqrstuvwxyz-") < end)
      return {};
  }
  return choices.words.size() > 1 ? choices : ValueChoices{};
}

std::string bash_completion_of(const OptionList& list) {
  const std::string name = list.program.name;
  std::string text = "# bash completion of " + name + "\n";
  for (const VerbText& verb : list.verbs)
    if (verb.options != nullptr) text += bash_function(*verb.options);
  return text + bash_function(list) + "complete -o default -F " + function_of(name) + " " + name +
         "\n";
}

std::string zsh_completion_of(const OptionList& list) {
  std::string text = std::string("#compdef ") + list.program.name + "\n";
  for (const VerbText& verb : list.verbs)
    if (verb.options != nullptr)
      text +=
          function_of(verb.options->program.name) + "() {\n" + zsh_arguments(*verb.options) + "}\n";
  return text + zsh_verbs(list) + zsh_arguments(list);
}

std::string fish_completion_of(const OptionList& list) {
  const std::string name = list.program.name;
  const std::string function = "_" + function_of(name);
  std::string text = "# fish completion of " + name + "\n" + fish_verbs(list, function);
  const bool have_options =
      std::any_of(list.verbs.begin(), list.verbs.end(),
                  [](const VerbText& verb) { return verb.options != nullptr; });
  text +=
      fish_options(list, "complete -c " + name +
                             (have_options                ? " -n '__fish_is_nth_token 1'"
                              : programs_of(list).empty() ? ""
                                                          : " -n 'not " + function + "_program'"));
  if (!have_options) return text;
  text += "function " + function + "_verb\n    set -l words (commandline -opc)\n" +
          "    test \"$words[2]\" = $argv[1]\nend\n";
  for (const VerbText& verb : list.verbs)
    if (verb.options != nullptr)
      text += fish_options(*verb.options,
                           "complete -c " + name + " -n '" + function + "_verb " + verb.name + "'");
  return text;
}

PageWriter* page_writer(std::string_view word) {
  return word == "--man-page"          ? man_page_of
         : word == "--bash-completion" ? bash_completion_of
         : word == "--zsh-completion"  ? zsh_completion_of
         : word == "--fish-completion" ? fish_completion_of
                                       : nullptr;
}

}  // namespace physmem
