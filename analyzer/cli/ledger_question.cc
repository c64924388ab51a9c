// SPDX-License-Identifier: MIT
#include "analyzer/cli/ledger_question.h"

#include <vector>

#include "analyzer/analyze/verify/ram_witness.h"
#include "analyzer/shape/first_rows.h"
#include "analyzer/shape/ledger_shape.h"
#include "analyzer/shape/verify_shape.h"

namespace physmem {
namespace {

/// Rows of frames that differ, without --full.
constexpr std::size_t kFewDifferences = 20;

/// What follows the line in text; false: nothing, the snapshot has no frames.
bool begin_text(Printer& printer, Format format, const Ledger& ledger, const std::string& line) {
  if (format != Format::kText) return true;
  printer.lines({line});
  if (ledger.is_known()) printer.lines({""});
  return ledger.is_known();
}

}  // namespace

/// The kernel's totals are of the whole machine.
std::vector<RamVerdict> LedgerQuestion::verdicts() const {
  if (precedes_verify_ || split().is_partial()) return {};
  return ram_verdicts(split().front());
}

std::string LedgerQuestion::line(std::size_t group) const {
  return subject("Ledger", split(), group) + ": " + ledger_line(split()[group], verdicts());
}

void LedgerQuestion::answer(Printer& printer, const View& view) {
  const Format format = printer.begin_answer(Format::kText);
  if (is_picture(format)) {
    draw(printer, [&](const Ledger& ledger) { return in_unit(ledger_chart(ledger, view)); });
    return draw(printer,
                [&](const Ledger& ledger) { return in_unit(small_classes_chart(ledger, view)); });
  }
  const std::size_t last = split().size() - 1;
  for (std::size_t group = 0; group < last; ++group)
    if (format == Format::kText) printer.lines({line(group)});
  if (!begin_text(printer, format, split()[last], line(last))) return;
  const bool has_more = is_full() || format == Format::kJson;
  Table classes = split_table(split(), [&](const Ledger& ledger) { return ledger_table(ledger); });
  if (top()) keep_first(classes, *top(), 1);
  printer.table().write(classes);
  if (has_more) {
    Table owners = split_table(split(), [&](const Ledger& ledger) { return owners_table(ledger); });
    if (top()) keep_first(owners, *top());
    printer.write_next(owners);
  }
  if (format == Format::kJson && !split().is_partial())
    printer.write_next(witness_table(ram_verdicts(split().front())));
}

void VerifyQuestion::answer(Printer& printer, const View& /*view*/) {
  const std::vector<RamVerdict> verdicts = verification_.verdicts();
  const Ledger& ledger = verification_.ledger();
  is_refuted_ = count(verdicts, VerdictKind::kDiffers) != 0;
  const Format format = printer.begin_answer(Format::kText);
  const std::string line = follows_ledger_ && ledger.is_known()
                               ? "Witnesses: " + verdict_text(verdicts)
                               : "Ledger: " + ledger_line(ledger, verdicts);
  if (!begin_text(printer, format, ledger, line) && verdicts.empty()) return;
  printer.table().write(witness_table(verdicts));
  write_parts(printer, format, verdicts);
}

/// CSV has further tables in further files, so only on request.
void VerifyQuestion::write_parts(Printer& printer, Format format,
                                 const std::vector<RamVerdict>& verdicts) {
  if (format == Format::kCsv && !is_full_) return;
  const bool has_all = is_full_ || format != Format::kText;
  const Table members = members_table(verdicts, has_all);
  if (!members.rows.empty()) printer.write_next(members);
  const MappingJoin& join = verification_.join();
  const bool counts_differ = !verdicts.empty() && verdicts.back().kind == VerdictKind::kDiffers;
  if (counts_differ || is_full_)
    printer.write_next(miscounted_table(join, verification_.ledger(),
                                        has_all ? join.differences().size() : kFewDifferences));
}

}  // namespace physmem
