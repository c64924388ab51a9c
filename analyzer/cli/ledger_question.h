// SPDX-License-Identifier: MIT
// --ask ledger: the whole of RAM by class and owner; verify: the same against the kernel's totals.
#pragma once

#include "analyzer/analyze/verify/verification.h"
#include "analyzer/cli/ram_question.h"

namespace physmem {

class LedgerQuestion : public SplitQuestion<Ledger, RamQuestion> {
 public:
  explicit LedgerQuestion(const QuestionContext& context)
      : SplitQuestion(context), precedes_verify_(context.options.questions.count("verify") != 0) {}
  bool needs_areas() const override { return false; }
  void answer(Printer& printer, const View& view) override;

 private:
  std::vector<RamVerdict> verdicts() const;
  std::string line(std::size_t group) const;

  bool precedes_verify_;  ///< whose answer has the verdicts
};

class VerifyQuestion : public Question {
 public:
  explicit VerifyQuestion(const QuestionContext& context)
      : is_full_(context.options.is_full),
        follows_ledger_(context.options.questions.count("ledger") != 0) {}
  Analysis& analysis() override { return verification_; }
  bool needs_areas() const override { return false; }
  bool data_is_missing(const Header& header) const override {
    return header.ram != Header::Ram::kAll;
  }
  void answer(Printer& printer, const View& view) override;
  bool is_refuted() const override { return is_refuted_; }

 private:
  void write_parts(Printer& printer, Format format, const std::vector<RamVerdict>& verdicts);

  bool is_full_;
  bool follows_ledger_;  ///< whose answer begins with the line
  Verification verification_;
  bool is_refuted_ = false;
};

}  // namespace physmem
