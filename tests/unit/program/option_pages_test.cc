// SPDX-License-Identifier: MIT
#include "program/option_pages.h"

#include <gmock/gmock.h>

#include "program/option_completion.h"

namespace physmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const ProgramText kPagesProgram{"a-tool", "does it's thing", "  a-tool [OPTION]...\n",
                                ".starts with a dot\n",
                                "EXAMPLES\n  a-tool -q\n\nEXIT STATUS\n  0 done\n"};

OptionList list() {
  return {kPagesProgram,
          {{'o', "output", "FILE", "write to FILE", "-"},
           {0, "count", "N", "a number: it's [N]", nullptr, "5", "number"},
           {'q', "quiet", nullptr, "two\nlines"}},
          {{"OPTIONS", 0}, {"MORE", 2}}};
}

TEST(ManPage, HasEveryPartWithoutMeaningForRoff) {
  const std::string page = man_page_of(list());
  EXPECT_THAT(page, StartsWith(R"(.TH "a\-tool" 1 "20)"));  // the year of the version
  EXPECT_THAT(page, HasSubstr("\" \"physmem 0."));
  EXPECT_EQ(page.substr(page.find('\n')), R"(
.SH NAME
a\-tool \- does it's thing
.SH SYNOPSIS
.nf
  a\-tool [OPTION]...
.fi
.SH DESCRIPTION
.nf
\&.starts with a dot
.fi
.SH "OPTIONS"
.TP
\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR
write to FILE [default: \-]
.TP
\fB\-\-count\fR \fIN\fR
a number: it's [N] [example: 5]
.SH "MORE"
.TP
\fB\-q\fR, \fB\-\-quiet\fR
two
.br
lines
.SH "EXAMPLES"
.nf
  a\-tool \-q
.fi
.SH "EXIT STATUS"
.nf
  0 done
.fi
.SH "SEE ALSO"
\fBphysmem\fR(7), \fBphysmem\-records\fR(5)
)");
}

TEST(ManPage, HasTheSectionOfItsProgram) {
  const ProgramText daemon{"a-daemon", "serves", "  a-daemon\n", "", "", "a-tool(1)", '8'};
  const std::string page = man_page_of({daemon, {}, {}});
  EXPECT_TRUE(page.starts_with(".TH \"a\\-daemon\" 8 "));
  EXPECT_TRUE(
      page.ends_with("SEE ALSO\"\n\\fBa\\-tool\\fR(1), \\fBphysmem\\fR(7), "
                     "\\fBphysmem\\-records\\fR(5)\n"));
}

TEST(ChoicesOf, ListsTheWordsThatASetterExpects) {
  EXPECT_THAT(choices_of("name, user or unit").words, ElementsAre("name", "user", "unit"));
  EXPECT_FALSE(choices_of("name, user or unit").is_list);
  EXPECT_THAT(choices_of("csv, json").words, ElementsAre("csv", "json"));
  const ValueChoices list = choices_of("pid or user, separated by commas");
  EXPECT_THAT(list.words, ElementsAre("pid", "user"));
  EXPECT_TRUE(list.is_list);
}

TEST(ChoicesOf, HasNoneForOtherTexts) {
  for (const char* text : {"", "max", "a number, or max", "names or numbers of users", "8 or 0.2",
                           "process ids separated by commas", ", ", "a,  or b"})
    EXPECT_THAT(choices_of(text).words, IsEmpty()) << text;
}

constexpr const char* kBashWords =
    R"(  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} first=
  if [[ $word == = ]]; then
    word= before+==
  elif [[ $before == = ]]; then
    before=${COMP_WORDS[COMP_CWORD-2]}=
  fi
)";

TEST(BashCompletion, CompletesOptionsAndFilesOnly) {
  EXPECT_EQ(bash_completion_of(list()), std::string(R"(# bash completion of a-tool
_a_tool() {
)") + kBashWords + R"(  case $before in
    --count|--count=) compopt +o default; return ;;
  esac
  [[ $word == -* ]] || return
  COMPREPLY=($(compgen -W '--output --count --quiet' -- "$word"))
}
complete -o default -F _a_tool a-tool
)");
}

TEST(BashCompletion, CompletesChoicesOfAValue) {
  OptionList one{kPagesProgram, {{0, "by", "WHAT", ""}, {0, "at", "[=LIST]", ""}}, {}};
  one.choices = {{{"node", "zone"}}, {{"a", "b"}, true}};
  EXPECT_THAT(bash_completion_of(one), HasSubstr(R"(    --by|--by=)
      compopt +o default
      COMPREPLY=($(compgen -W 'node zone' -- "$word"))
      return
      ;;
    --at=)
      compopt +o default
      [[ $word == *,* ]] && first=${word%,*},
      COMPREPLY=($(compgen -P "$first" -W 'a b' -- "${word##*,}"))
      return
      ;;
)"));
}

OptionList verb_list() {
  return {kPagesProgram,
          {},
          {},
          {{"ps", "it's processes", "a-ps"},
           {"all", "all: of them", "a-ps"},
           {"help", "this", nullptr}}};
}

TEST(BashCompletion, PassesTheWordsAfterAVerbToItsProgram) {
  const std::string text = bash_completion_of(verb_list());
  EXPECT_THAT(text, HasSubstr("  local verbs='ps all help' program=\n"));
  EXPECT_THAT(text, HasSubstr("    ps|all) program=a-ps ;;\n    help) COMPREPLY="));
}

TEST(Completions, HaveTheWordsAfterAVerb) {
  OptionList list = verb_list();
  EXPECT_THAT(bash_completion_of(list), testing::Not(HasSubstr("COMP_CWORD == 2")));
  list.verbs[0].next = "one, two or three";
  EXPECT_THAT(bash_completion_of(list),
              HasSubstr("ps) COMPREPLY=($(compgen -W 'one two three' -- \"$word\")); return ;;"));
  EXPECT_THAT(zsh_completion_of(list), HasSubstr("  ps) compadd - one two three; return ;;"));
}

TEST(ZshCompletion, PassesTheWordsAfterAVerbToItsProgram) {
  const std::string text = zsh_completion_of(verb_list());
  EXPECT_THAT(text, HasSubstr("  'ps:it'\\''s processes'\n  'all:all\\: of them'\n"));
  EXPECT_THAT(text, HasSubstr("  ps|all) program=a-ps ;;\n  help) _describe verb verbs"));
}

TEST(ZshCompletion, DescribesEveryOption) {
  EXPECT_EQ(zsh_completion_of(list()), R"(#compdef a-tool
_arguments -s -S \
  '--output=[write to FILE \[default\: -\]]:FILE:_files' \
  '-o+[write to FILE \[default\: -\]]:FILE:_files' \
  '--count=[a number\: it'\''s \[N\] \[example\: 5\]]:N:' \
  '--quiet[two lines]' \
  '-q[two lines]' \
  '*:file:_files'
)");
}

TEST(FishCompletion, DescribesEveryOptionAndItsChoices) {
  OptionList two = list();
  two.choices = {{}, {{"1", "2"}, true}};
  EXPECT_EQ(fish_completion_of(two), R"(# fish completion of a-tool
complete -c a-tool -l output -s o -r -d 'write to FILE [default: -]'
complete -c a-tool -l count -x -a '(__fish_append , 1 2)' -d 'a number: it\'s [N] [example: 5]'
complete -c a-tool -l quiet -s q -d 'two lines'
)");
}

TEST(FishCompletion, PassesTheWordsAfterAVerbToItsProgram) {
  const std::string text = fish_completion_of(verb_list());
  EXPECT_THAT(text, HasSubstr("        case ps all\n            echo a-ps\n"));
  EXPECT_THAT(text, HasSubstr("-n '__fish_is_nth_token 1' -a ps -d 'it\\'s processes'\n"));
  EXPECT_THAT(text, HasSubstr("__fish_seen_subcommand_from help' -f -a 'ps all help'\n"));
}

}  // namespace
}  // namespace physmem
