// SPDX-License-Identifier: MIT
#include "analyzer/cli/ledger_question.h"

#include <vector>

#include "analyzer/analyze/ram_witness.h"
#include "analyzer/shape/ledger_shape.h"

namespace physmem {
namespace {

/// Text begins with the line. Returns false if there is nothing more to say.
bool begin_text(Printer& printer, Format format, const Ledger& ledger) {
  if (format != Format::kText) return true;
  printer.lines({"Ledger: " + ledger_line(ledger)});
  if (ledger.is_known()) printer.lines({""});
  return ledger.is_known();
}

}  // namespace

void LedgerQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(ledger_chart(ledger_, view));
  if (!begin_text(printer, format, ledger_)) return;
  const bool has_more = is_full_ || format == Format::kJson;
  printer.table().write(ledger_table(ledger_, view));
  if (has_more) printer.write_next(owners_table(ledger_, view));
  if (format == Format::kJson) printer.write_next(witness_table(ram_verdicts(ledger_)));
}

void VerifyQuestion::answer(Printer& printer, const View& /*view*/) {
  const std::vector<RamVerdict> verdicts = ram_verdicts(ledger_);
  const Format format = printer.begin_answer(Format::kText);
  if (!begin_text(printer, format, ledger_)) return;
  printer.table().write(witness_table(verdicts));
  is_refuted_ = count(verdicts, RamVerdict::Kind::kDiffers) != 0;
}

}  // namespace physmem
