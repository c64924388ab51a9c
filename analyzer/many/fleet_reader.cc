// SPDX-License-Identifier: MIT
#include "analyzer/many/fleet_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/process/text_relocations.h"
#include "analyzer/analyze/ram/frame_filter.h"
#include "analyzer/analyze/verify/joined_counts.h"
#include "analyzer/parse/open_source.h"
#include "analyzer/report/sized_table.h"
#include "analyzer/shape/alerts_shape.h"
#include "analyzer/shape/basic_shape.h"
#include "analyzer/shape/fleet_shape.h"
#include "analyzer/shape/ledger_shape.h"
#include "analyzer/shape/pages_shape.h"
#include "analyzer/shape/split_table.h"
#include "analyzer/shape/totals_shape.h"

namespace physmem {
namespace {

constexpr std::array<std::string_view, 5> kTables{"basic", "totals", "alerts", "count", "ledger"};

/// Ends the input when the reading is stopped, because a compressed file may be long.
class StoppableSource : public ByteSource {
 public:
  StoppableSource(ByteSource& inner, const FleetReader::IsStopped& is_stopped)
      : inner_(inner), is_stopped_(is_stopped) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    if (is_stopped_()) return Error{Error::Kind::kIo, "stopped"};
    return inner_.read(to, size);
  }
  void interrupt() override { inner_.interrupt(); }
  std::string_view text() const override { return inner_.text(); }
  void release(std::uint64_t offset) override { inner_.release(offset); }
  PredecodedRuns* predecoded_runs() override { return inner_.predecoded_runs(); }
  Status state() const override { return inner_.state(); }

 private:
  ByteSource& inner_;
  const FleetReader::IsStopped& is_stopped_;
};

Table plain_table(const std::string& question, const FleetQuestions& questions,
                  const FleetFolds& folds, const View& view) {
  if (question == "alerts") return alerts_table(folds.alerts, view);
  if (question == "basic")
    return split_table(folds.basic,
                       [&](const Basic& basic) { return basic_table(basic.rows(), view); });
  if (question == "count")
    return split_table(folds.count,
                       [&](const PageCount& count) { return page_count_table(count, view); });
  if (question == "ledger") {
    Table table =
        split_table(folds.ledger, [&](const Ledger& ledger) { return ledger_table(ledger); });
    if (!folds.ledger.front().is_known()) table.rows.clear();
    return table;
  }
  return split_table(folds.totals, [&](const UnitTotals& totals) {
    const std::vector<UnitTotalsRow> rows = totals.rows();
    Table table = totals_table(rows, view);
    if (questions.alerts_column) add_alerts_column(table, rows, folds.alerts);
    return table;
  });
}

}  // namespace

FleetQuestions::FleetQuestions(const Options& options) {
  for (const std::string_view name : kTables)
    if (options.questions.count(std::string(name)) != 0) tables.emplace_back(name);
  digest = options.questions.count("summary") != 0;
  alerts = is_asked("alerts") || digest || options.fail_on_alert;
  alerts_column = is_asked("alerts") && is_asked("totals");
}

bool FleetQuestions::is_asked(const std::string& question) const {
  return std::find(tables.begin(), tables.end(), question) != tables.end();
}

bool FleetQuestions::lacks_data(const Header& header) const {
  if (is_asked("ledger") && header.ram != Header::Ram::kAll) return true;
  if (tables == std::vector<std::string>{"ledger"} && !digest) return false;
  if (!header.has_areas || header.count == Header::Count::kAverage) return true;
  if (header.has_pages) return false;
  return digest || is_asked("totals") || is_asked("count") ||
         (is_asked("alerts") && header.version >= 2);
}

std::vector<Analysis*> FleetFolds::asked(const FleetQuestions& questions) {
  std::vector<Analysis*> analyses;
  const auto add = [&](auto& split) {
    for (Analysis* const analysis : split.analyses()) analyses.push_back(analysis);
  };
  if (questions.is_asked("basic")) add(basic);
  if (questions.is_asked("totals") || questions.digest) add(totals);
  if (questions.alerts) analyses.push_back(&alerts);
  if (questions.is_asked("count")) add(count);
  if (questions.is_asked("ledger") || questions.digest) add(ledger);
  return analyses;
}

EventTee FleetFolds::grouped(const FleetQuestions& questions) {
  EventTee tee;
  const auto add = [&](const char* question, auto& split) {
    if (questions.is_asked(question) && split.events() != nullptr) tee.add(*split.events());
  };
  add("basic", basic);
  add("totals", totals);
  add("count", count);
  add("ledger", ledger);
  return tee;
}

std::vector<Table> fleet_tables(const Options& options, const FleetQuestions& questions,
                                const FleetFolds& folds, const std::string& host,
                                const View& view) {
  std::vector<Table> tables;
  for (const std::string& question : questions.tables) {
    const Format form = options.format.value_or(question_text(question).natural);
    const SizeCells sizes(size_unit(options, form), view.header.page_size);
    Table table = in_unit(plain_table(question, questions, folds, view), sizes,
                          is_data(form) ? UnitPlace::kColumns : UnitPlace::kTitle);
    tables.push_back(of_host(std::move(table), host, view));
  }
  return tables;
}

FleetReader::FleetReader(const Options& options, const FleetQuestions& questions, std::size_t jobs)
    : options_(options), questions_(questions), jobs_(jobs) {}

/// Catches exceptions of libraries and lack of memory, which would end the program in a thread.
void FleetReader::read(const SnapshotFile& file, const Put& put,
                       const IsStopped& is_stopped) const {
  FleetAnswer end;
  try {
    Reading reading{file, put, is_stopped};
    end = read_all(reading);
  } catch (const std::bad_alloc&) {
    const std::string questions =
        questions_.digest ? asked_as(options_, "summary") : asked_questions(options_);
    end.problem = memory_error(file.path + ": reading it for " + questions, options_);
  } catch (const std::exception& error) {
    end.problem = Error{Error::Kind::kIo, file.path + ": " + error.what()};
  }
  end.ends_file = true;
  end.view.source = file.path;
  end.file_bytes = file.bytes;
  put_end(end, put);
}

/// Retries, because other threads release memory when their snapshots are read. The last try is not
/// caught. If the answers themselves use all memory, the program so ends with a message.
void FleetReader::put_end(const FleetAnswer& end, const Put& put) const {
  constexpr int kMaxTries = 100;
  for (int i = 1; i < kMaxTries; ++i) {
    try {
      return put(end);
    } catch (const std::bad_alloc&) {
      const std::unique_lock alone(memory_);
    }
  }
  put(end);
}

FleetAnswer FleetReader::read_all(Reading& reading) const {
  try {
    return read_on(reading, Company::kOthers);
  } catch (const std::bad_alloc&) {
    return read_on(reading, Company::kNone);
  }
}

FleetAnswer FleetReader::read_on(Reading& reading, Company company) const {
  const SnapshotFile& file = reading.file;
  FleetAnswer end;
  const auto source = open_source(file.path, Undo::kAll, jobs_ > 1);
  if (!source) {
    end.problem = source.error();
    return end;
  }
  StoppableSource stoppable(**source, reading.is_stopped);
  SnapshotReader reader(stoppable, file.path, {.keep_going = options_.keep_going, .jobs = jobs_});
  for (std::size_t number = 1;; ++number) {
    end.is_cut = reading.is_stopped();
    if (end.is_cut) return end;
    auto found = snapshot(reader, file, number, company);
    if (!found) {
      end.is_cut = reading.is_stopped();
      if (!end.is_cut) end.problem = found.error();
      return end;
    }
    if (!*found) break;
    if (number <= reading.done) continue;
    reading.put(std::move(**found));
    ++reading.done;
  }
  end.notes = reader.notes();
  return end;
}

Result<std::optional<FleetAnswer>> FleetReader::snapshot(SnapshotReader& reader,
                                                         const SnapshotFile& file,
                                                         std::size_t number,
                                                         Company company) const {
  std::shared_lock with_others(memory_, std::defer_lock);
  std::unique_lock alone(memory_, std::defer_lock);
  if (company == Company::kOthers)
    with_others.lock();
  else
    alone.lock();
  return snapshot(reader, file, number);
}

/// `number`: number of the snapshot in the file, from 1. Nothing at the end of the file.
Result<std::optional<FleetAnswer>> FleetReader::snapshot(SnapshotReader& reader,
                                                         const SnapshotFile& file,
                                                         std::size_t number) const {
  FleetFolds folds(options_.selection, options_.only);
  Census census(folds.asked(questions_), options_.only);
  FrameFilter filter(census, options_.selection);
  EventTee events = folds.grouped(questions_);
  events.add(filter);
  JoinedCounts joined(events);
  const auto found = reader.next(options_.joins_counts ? static_cast<Events&>(joined) : events);
  if (!found) return found.error();
  if (!*found) return std::optional<FleetAnswer>();
  FleetAnswer answer;
  answer.view = {census.header(), number == 1 ? file.path : fmt::format("{}#{}", file.path, number),
                 options_.is_virtual, options_.is_full, names_pids(options_)};
  answer.host = census.header().host.empty() ? host_by_path(file) : census.header().host;
  if (questions_.is_asked("alerts")) prove(folds.alerts);
  answer.tables = fleet_tables(options_, questions_, folds, answer.host, answer.view);
  if (questions_.digest) answer.units = folds.totals.front().rows();
  if (questions_.digest) answer.ram = RamOfSnapshot::of(folds.ledger.front());
  if (questions_.alerts) answer.alerts = std::move(folds.alerts);
  answer.lack = selection_problem(options_, filter);
  answer.notes = reader.notes();
  answer.repeated_areas = census.repeated_areas();
  return std::optional(std::move(answer));
}

void FleetReader::prove(Alerts& alerts) const {
  static std::mutex libelf;  // libelf does not guarantee thread safety
  const std::lock_guard lock(libelf);
  alerts.prove(
      [this](const PrivateText& unit) { return has_text_relocations(unit, options_.elf_root); });
}

}  // namespace physmem
