// SPDX-License-Identifier: MIT
// The command line of a verb that analyses snapshots, with its help and manual page.
#pragma once

#include <string>

#include "analyzer/cli/verb_options.h"

namespace physmem::command {

class VerbPage {
 public:
  explicit VerbPage(const QuestionText& question);
  VerbPage(const VerbPage&) = delete;
  VerbPage& operator=(const VerbPage&) = delete;

  const VerbOptions& options() const { return options_; }

 private:
  std::string name_, command_, usage_, notes_, sections_;
  ProgramText program_;
  VerbOptions options_;
};

}  // namespace physmem::command
