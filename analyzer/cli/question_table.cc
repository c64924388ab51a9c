// SPDX-License-Identifier: MIT
#include "analyzer/cli/question_table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "analyzer/analyze/process/alerts.h"
#include "analyzer/analyze/process/basic.h"
#include "analyzer/analyze/process/page_count.h"
#include "analyzer/analyze/process/page_dump.h"
#include "analyzer/analyze/process/summary.h"
#include "analyzer/analyze/process/text_relocations.h"
#include "analyzer/analyze/process/unit_totals.h"
#include "analyzer/analyze/verify/ram_witness.h"
#include "analyzer/cli/faults_question.h"
#include "analyzer/cli/folded_question.h"
#include "analyzer/cli/ledger_question.h"
#include "analyzer/cli/map_question.h"
#include "analyzer/cli/metrics_question.h"
#include "analyzer/cli/overview_question.h"
#include "analyzer/cli/ram_question.h"
#include "analyzer/cli/series_question.h"
#include "analyzer/cli/split_question.h"
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

/// An answer of several tables, so many of them with --full.
constexpr QuestionKind with_tables(std::size_t full_tables, QuestionKind kind) {
  kind.full_tables = full_tables;
  return kind;
}

constexpr QuestionKind replacing_output(QuestionKind kind) {
  kind.replaces_output = true;
  return kind;
}

constexpr QuestionKind comparing_two(QuestionKind kind) {
  kind.compares_two = true;
  return kind;
}

constexpr std::array kQuestions{
    QuestionKind{"summary", "ten lines: total, use, the largest processes and units, alerts",
                 Format::kText, false, make<SummaryQuestion>},
    QuestionKind{"overview",
                 "one screen: RAM by use, the largest processes and files, alerts (text)",
                 Format::kText, false, make<OverviewQuestion>},
    QuestionKind{"processes",
                 "USS, PSS, RSS and swap of each process (text on a terminal, otherwise csv)",
                 Format::kCsv, true, make_processes_question},
    QuestionKind{"mappings",
                 "USS, PSS, RSS and swap of each library, program and other file (text or csv)",
                 Format::kCsv, true, make_mappings_question},
    QuestionKind{"users", "USS, PSS, RSS and swap of each user (text or csv)", Format::kCsv, true,
                 make_users_question},
    QuestionKind{"basic", "pages of each process: stack, data, text, heap, libraries (csv)",
                 Format::kCsv, true, make<BasicQuestion>},
    QuestionKind{
        "vma", "maps of each process's areas: resident pages and how often they are mapped (text)",
        Format::kText, true, make<VmaQuestion>},
    QuestionKind{
        "units",
        "maps of each executable unit over all processes: how often its pages are mapped (text)",
        Format::kText, true, make<UnitsQuestion>},
    QuestionKind{"totals", "bss, data and text of each executable unit, over all processes (csv)",
                 Format::kCsv, true, make<TotalsQuestion>},
    QuestionKind{"folded",
                 "pages as stacks for flame graphs: host, control group, process, region, unit "
                 "(text, for flamegraph.pl and speedscope)",
                 Format::kText, false, make_folded_question},
    QuestionKind{"alerts", "areas with pages that should be shared and are not (text)",
                 Format::kText, false, make<AlertsQuestion>},
    QuestionKind{
        "private-text",
        "private code that could be shared, by the exact rule; --full: also the paper's (text)",
        Format::kText, false, make<PrivateTextQuestion>},
    QuestionKind{"count", "number of physical pages that user space uses (text)", Format::kText,
                 false, make<CountQuestion>},
    with_tables(
        2, QuestionKind{"ledger",
                        "the whole of RAM by class and owner, to 100 % (text); --full: every owner",
                        Format::kText, true, make<LedgerQuestion>}),
    QuestionKind{
        "verify",
        "compare the ledger, page tables, processes and control groups with what the kernel "
        "counts (text); exit status 1 if one differs; --full: each of them",
        Format::kText, false, make<VerifyQuestion>},
    comparing_two(with_tables(
        4,
        QuestionKind{
            "cache",
            "the page cache by file, folder and process (text); --full: every file; --maps "
            "PATH: which pages of a file; of two snapshots: what came, went and stayed",
            Format::kText, true, make_cache_question})),
    QuestionKind{"slab",
                 "slab caches by pages, objects and use; over several snapshots: how they grow "
                 "(text); --full: every cache",
                 Format::kText, true, make<SlabQuestion>, true},
    with_tables(
        7,
        QuestionKind{
            "kernel",
            "the kernel's own memory: slab, page tables, stacks, vmalloc, modules, with their "
            "owners (text); --full: every owner",
            Format::kText, true, make<KernelQuestion>}),
    with_tables(4,
                QuestionKind{
                    "fragmentation",
                    "free memory by size of block, room for huge pages, RAM as a map of pageblocks "
                    "(text)",
                    Format::kText, true, make<FragmentationQuestion>}),
    QuestionKind{"pages", "every physical page: flags, use count, owner (text)", Format::kText,
                 false, make<PagesQuestion>},
    with_tables(
        4,
        QuestionKind{
            "faults",
            "page faults over several snapshots: which processes thrash, since when and why (text)",
            Format::kText, true, make<FaultsQuestion>, true, 2}),
    QuestionKind{
        "diff",
        "changes between two snapshots, OLD NEW, by process, unit and area; of RAM by class and "
        "owner (text)",
        Format::kText, true, make<DiffQuestion>, true, 2, 2},
    QuestionKind{"leaks",
                 "leaks over three snapshots or more: lasting growth, its size and rate (text)",
                 Format::kText, true, make<LeaksQuestion>, true, 3},
    replacing_output(
        QuestionKind{"metrics",
                     "metrics for Prometheus, in a form that node_exporter's textfile collector "
                     "and OpenMetrics share; the file is replaced after each snapshot",
                     Format::kText, false, make<MetricsQuestion>, true}),
};

}  // namespace

std::span<const QuestionKind> question_table() {
  return kQuestions;
}

Format natural_form(const std::string& question) {
  return std::find_if(kQuestions.begin(), kQuestions.end(),
                      [&](const QuestionKind& kind) { return kind.name == question; })
      ->natural;
}

}  // namespace physmem
