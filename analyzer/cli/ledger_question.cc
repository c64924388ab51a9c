// SPDX-License-Identifier: MIT
#include "analyzer/cli/ledger_question.h"

#include <vector>

#include "analyzer/analyze/ram_witness.h"
#include "analyzer/shape/ledger_shape.h"

namespace physmem {
namespace {

/// Of frames that differ, without --full.
constexpr std::size_t kFewRows = 20;

/// Text begins with the line. Returns false if there is nothing more to say.
bool begin_text(Printer& printer, Format format, const Ledger& ledger,
                const std::vector<RamVerdict>& verdicts) {
  if (format != Format::kText) return true;
  printer.lines({"Ledger: " + ledger_line(ledger, verdicts)});
  if (ledger.is_known()) printer.lines({""});
  return ledger.is_known();
}

}  // namespace

void LedgerQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) return printer.add(ledger_chart(ledger_, view));
  if (!begin_text(printer, format, ledger_, ram_verdicts(ledger_))) return;
  const bool has_more = is_full_ || format == Format::kJson;
  printer.table().write(ledger_table(ledger_, view));
  if (has_more) printer.write_next(owners_table(ledger_, view));
  if (format == Format::kJson) printer.write_next(witness_table(ram_verdicts(ledger_)));
}

void VerifyQuestion::answer(Printer& printer, const View& /*view*/) {
  const std::vector<RamVerdict> verdicts = verification_.verdicts();
  const Format format = printer.begin_answer(Format::kText);
  const bool has_all_rows = is_full_ || format != Format::kText;
  const std::size_t max_rows = has_all_rows ? verification_.join().differences().size() : kFewRows;
  const bool has_line = follows_ledger_ && verification_.ledger().is_known();
  if (!has_line && !begin_text(printer, format, verification_.ledger(), verdicts)) return;
  is_refuted_ = count(verdicts, RamVerdict::Kind::kDiffers) != 0;
  printer.table().write(witness_table(verdicts));
  const Table members = members_table(verdicts, has_all_rows);
  if (!members.rows.empty()) printer.write_next(members);
  const bool counts_differ =
      !verdicts.empty() && verdicts.back().kind == RamVerdict::Kind::kDiffers;
  if (counts_differ || is_full_)
    printer.write_next(miscounted_table(verification_.join(), verification_.ledger(), max_rows));
}

}  // namespace physmem
