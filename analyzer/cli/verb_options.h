// SPDX-License-Identifier: MIT
// The command line of a verb of physmem: the options of physmem-analyze that change its answer.
#pragma once

#include <string>
#include <vector>

#include "analyzer/cli/option_rows.h"
#include "program/option_table.h"
#include "program/option_text.h"
#include "program/result.h"

namespace physmem {

class VerbOptions {
 public:
  /// `program`: the texts of the help; both must live as long as this.
  VerbOptions(const QuestionText& question, const ProgramText& program);

  /// argv[0] is not read.
  Result<Options> parse(int argc, char* argv[]) const;
  OptionList list() const { return table_.list(); }

 private:
  OptionRows rows();
  OptionRow<ParsedOptions> own_row(const OwnOption& option, const OptionRows& all) const;

  const QuestionText& question_;
  const ProgramText& program_;
  std::string output_help_;
  OptionTable<ParsedOptions> table_;
};

}  // namespace physmem
