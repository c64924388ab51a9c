// SPDX-License-Identifier: MIT
#include "analyzer/cli/ledger_question.h"

#include <vector>

#include "analyzer/analyze/ram_witness.h"
#include "analyzer/shape/ledger_shape.h"

namespace physmem {

void LedgerQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(ledger_chart(ledger_, view));
  if (format == Format::kText) {
    printer.lines({"Ledger: " + ledger_line(ledger_)});
    if (!ledger_.is_known()) return;
    printer.lines({""});
  }
  const bool has_more = is_full_ || format == Format::kJson;
  printer.table().write(ledger_table(ledger_, view));
  if (has_more) printer.write_next(owners_table(ledger_, view));
  if (format == Format::kJson) printer.write_next(witness_table(ram_verdicts(ledger_)));
}

void VerifyQuestion::answer(Printer& printer, const View& /*view*/) {
  const std::vector<RamVerdict> verdicts = ram_verdicts(ledger_);
  if (printer.begin_answer(Format::kText) == Format::kText) {
    printer.lines({"Ledger: " + ledger_line(ledger_)});
    if (!ledger_.is_known()) return;
    printer.lines({""});
  }
  printer.table().write(witness_table(verdicts));
  is_refuted_ = count(verdicts, RamVerdict::Kind::kDiffers) != 0;
}

}  // namespace physmem
