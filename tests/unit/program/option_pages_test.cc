// SPDX-License-Identifier: MIT
#include "program/option_pages.h"

#include <gmock/gmock.h>

namespace physmem {
namespace {

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
  EXPECT_EQ(man_page_of(list()), R"(.TH "a\-tool" 1 "" "physmem"
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
)");
}

TEST(ManPage, HasTheSectionOfItsProgram) {
  const ProgramText daemon{"a-daemon", "serves", "  a-daemon\n", "", "", '8'};
  EXPECT_TRUE(man_page_of({daemon, {}, {}}).starts_with(".TH \"a\\-daemon\" 8 "));
}

TEST(BashCompletion, CompletesOptionsAndFilesOnly) {
  EXPECT_EQ(bash_completion_of(list()), R"(# bash completion of a-tool
_a_tool() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  case $before in
    --count) compopt +o default; return ;;
  esac
  [[ $word == -* ]] || return
  COMPREPLY=($(compgen -W '--output --count --quiet' -- "$word"))
}
complete -o default -F _a_tool a-tool
)");
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

}  // namespace
}  // namespace physmem
