// SPDX-License-Identifier: MIT
// --ask cgroups: which cgroups pay for memory, and which use it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/cgroup_uses.h"
#include "analyzer/cli/question.h"
#include "analyzer/shape/cgroup_shape.h"

namespace physmem {

/// Gets all processes: --cgroup selects rows, and others use what those pay for.
class CgroupQuestion : public Question {
 public:
  explicit CgroupQuestion(const QuestionContext& context)
      : patterns_(context.options.only.cgroups),
        names_(context.options.cgroup_names),
        words_(context.options.words),
        top_(context.options.use.top),
        census_({&uses_}) {}
  Analysis& analysis() override { return uses_; }
  std::vector<Analysis*> analyses() override { return {}; }
  Events* events() override { return &census_; }
  bool data_is_missing(const Header&) const override { return !missing().empty(); }
  std::vector<std::string> missing() const override { return cgroup_notes(uses_); }
  std::string failure() const override;
  void answer(Printer& printer, const View& view) override;

 private:
  std::vector<NamePattern> patterns_;
  CgroupNames names_;
  std::vector<std::string> words_;
  std::optional<std::size_t> top_;
  CgroupUses uses_;
  Census census_;
};

}  // namespace physmem
