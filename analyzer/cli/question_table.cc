// SPDX-License-Identifier: MIT
#include "analyzer/cli/question_table.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/page_dump.h"
#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/process/text_relocations.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/verify/ram_witness.h"
#include "analyzer/cli/cgroup_question.h"
#include "analyzer/cli/faults_question.h"
#include "analyzer/cli/folded_question.h"
#include "analyzer/cli/frame_question.h"
#include "analyzer/cli/ledger_question.h"
#include "analyzer/cli/map_question.h"
#include "analyzer/cli/metrics_question.h"
#include "analyzer/cli/overview_question.h"
#include "analyzer/cli/ram_question.h"
#include "analyzer/cli/series_question.h"
#include "analyzer/cli/shared_question.h"
#include "analyzer/cli/split_question.h"
#include "analyzer/cli/stop_question.h"
#include "analyzer/cli/use_question.h"
#include "analyzer/shape/alerts_shape.h"
#include "analyzer/shape/basic_shape.h"
#include "analyzer/shape/pages_shape.h"
#include "analyzer/shape/summary_shape.h"
#include "analyzer/shape/totals_shape.h"

namespace physmem {
namespace {

/// A question about pages of processes.
struct PageQuestion : Question {
  explicit PageQuestion(const QuestionContext&) {}
};

class BasicQuestion : public SplitQuestion<Basic, PageQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  bool data_is_missing(const Header& header) const override { return !header.has_areas; }
  void answer(Printer& printer, const View& view) override {
    if (is_picture(printer.begin_answer(Format::kCsv)))
      return draw(printer, [&](const Basic& basic) { return basic_chart(basic.rows(), view); });
    printer.table().write(
        split_table(split(), [&](const Basic& basic) { return basic_table(basic.rows(), view); }));
  }
};

class TotalsQuestion : public SplitQuestion<UnitTotals, PageQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  void answer(Printer& printer, const View& view) override {
    if (is_picture(printer.begin_answer(Format::kCsv)))
      return draw(printer,
                  [&](const UnitTotals& totals) { return totals_chart(totals.rows(), view); });
    printer.table().write(split_table(
        split(), [&](const UnitTotals& totals) { return totals_table(totals.rows(), view); }));
  }
};

class AlertsQuestion : public Question {
 public:
  explicit AlertsQuestion(const QuestionContext& context) : elf_root_(context.options.elf_root) {}
  Analysis& analysis() override { return alerts_; }
  bool data_is_missing(const Header& header) const override {
    return header.version >= 2 && !header.has_pages;
  }
  void answer(Printer& printer, const View& view) override {
    alerts_.prove(
        [this](const PrivateText& unit) { return has_text_relocations(unit, elf_root_); });
    if (printer.begin_answer(Format::kText) == Format::kText)
      write_text(printer, view);
    else
      printer.table().write(table(view));
  }

 protected:
  const Alerts& alerts() const { return alerts_; }

 private:
  virtual void write_text(Printer& printer, const View& view) const {
    printer.lines(alerts_text(alerts_, view));
  }
  virtual Table table(const View& view) const { return alerts_table(alerts_, view); }

  std::string elf_root_;
  Alerts alerts_;
};

/// For people: the exact rule, and where it does not apply, the paper's.
class PrivateTextQuestion : public AlertsQuestion {
 public:
  using AlertsQuestion::AlertsQuestion;

 private:
  bool has_both_rules(const View& view) const { return view.is_full || view.header.version < 2; }
  void write_text(Printer& printer, const View& view) const override {
    if (has_both_rules(view)) return printer.lines(alerts_text(alerts(), view));
    const Table table = private_text_table(alerts());
    if (!table.rows.empty()) printer.table().write(table);
    printer.lines(private_text_lines(alerts(), view));
  }
  Table table(const View& view) const override {
    Table table = alerts_table(alerts(), view);
    if (!has_both_rules(view)) std::erase_if(table.rows, is_of_the_papers_rule);
    return table;
  }
};

class CountQuestion : public SplitQuestion<PageCount, PageQuestion> {
 public:
  using SplitQuestion::SplitQuestion;
  void answer(Printer& printer, const View& view) override {
    const std::string source = printer.lacks_heading() ? view.source + ": " : "";
    if (printer.begin_answer(Format::kText, Printer::Block::kOneLine) == Format::kText)
      for (std::size_t group = 0; group < split().size(); ++group)
        printer.lines({source + subject("User space pages", split(), group) + ": " +
                       page_count_text(split()[group])});
    else
      printer.table().write(split_table(
          split(), [&](const PageCount& count) { return page_count_table(count, view); }));
  }
};

class PagesQuestion : public Question {
 public:
  Analysis& analysis() override { return dump_; }
  void answer(Printer& printer, const View& view) override {
    printer.begin_answer(Format::kText);
    TableWriter& table = printer.table();
    table.begin(page_dump_head());
    constexpr std::size_t kRoom = std::size_t{4} << 20,
                          kEach = 512;  // bytes of prepared rows; of one, without its name
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> prepared(dump_.kinds(), kNone);  // of each kind of row
    std::size_t used = kRoom;
    dump_.for_each([&](const PageRows& rows) {
      std::uint32_t& number = prepared[rows.kind];
      if (number == kNone) {
        if (used >= kRoom) {
          table.drop_prepared();
          prepared.assign(prepared.size(), kNone);
          used = 0;
        }
        const PageKind kind = dump_.kind(rows.kind);
        number = static_cast<std::uint32_t>(table.prepare(page_dump_cells(kind, view)));
        used += kEach + 2 * kind.owner.size();
      }
      table.prepared_rows({rows.address, view.header.page_size.bytes, rows.pages}, number);
    });
    table.end();
  }

 private:
  PageDump dump_;
};

class SummaryQuestion : public Question {
 public:
  explicit SummaryQuestion(const QuestionContext& context) : missing_(context.missing) {}
  Analysis& analysis() override { return summary_; }
  void answer(Printer& printer, const View& view) override {
    if (printer.begin_answer(Format::kText) == Format::kText)
      printer.lines(summary_text(summary_, view, verdicts(view), missing_));
    else
      printer.table().write(summary_table(summary_, view));
  }

 private:
  /// The kernel's totals are of the whole machine.
  std::vector<RamVerdict> verdicts(const View& view) const {
    if (!view.header.selection.empty()) return {};
    return ram_verdicts(summary_.ledger());
  }

  const std::vector<std::string>& missing_;
  Summary summary_;
};

template <class Q>
std::unique_ptr<Question> make(const QuestionContext& context) {
  if constexpr (std::is_constructible_v<Q, const QuestionContext&>)
    return std::make_unique<Q>(context);
  else
    return std::make_unique<Q>();
}

using Make = std::unique_ptr<Question> (*)(const QuestionContext&);

const std::map<std::string_view, Make> kMakers{
    {"summary", make<SummaryQuestion>},
    {"overview", make<OverviewQuestion>},
    {"processes", make_processes_question},
    {"mappings", make_mappings_question},
    {"users", make_users_question},
    {"basic", make<BasicQuestion>},
    {"vma", make<VmaQuestion>},
    {"units", make<UnitsQuestion>},
    {"totals", make<TotalsQuestion>},
    {"cgroups", make<CgroupQuestion>},
    {"shmem", make<SharedQuestion>},
    {"if-stopped", make<StopQuestion>},
    {"frame", make<FrameQuestion>},
    {"folded", make_folded_question},
    {"alerts", make<AlertsQuestion>},
    {"private-text", make<PrivateTextQuestion>},
    {"count", make<CountQuestion>},
    {"ledger", make<LedgerQuestion>},
    {"verify", make<VerifyQuestion>},
    {"cache", make_cache_question},
    {"slab", make<SlabQuestion>},
    {"kernel", make<KernelQuestion>},
    {"fragmentation", make<FragmentationQuestion>},
    {"pages", make<PagesQuestion>},
    {"faults", make<FaultsQuestion>},
    {"diff", make<DiffQuestion>},
    {"leaks", make<LeaksQuestion>},
    {"metrics", make<MetricsQuestion>},
};

}  // namespace

std::unique_ptr<Question> make_question(std::string_view name, const QuestionContext& context) {
  return kMakers.at(name)(context);
}

}  // namespace physmem
