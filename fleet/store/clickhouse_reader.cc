// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_reader.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fleet/model/report.h"
#include "fleet/sql/sql_section.h"
#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_answer.h"

namespace physmem::fleet {
namespace {

/// Seconds [first, end).
struct Span {
  std::uint64_t first, end;
};

/// Days that questions read as sums, and what they read as facts.
struct ChosenDays {
  std::vector<std::uint64_t> summed;
  std::vector<Span> facts;
};

/// FINAL merges the parts of all days that it reads, row by row, although no two days have a row in
/// common; day by day it needs a quarter less CPU time. Each span makes the statement longer, above
/// all if it lists machines and units, so many days are read a few at a time.
constexpr std::uint64_t kMaxSpans = 32;
constexpr std::uint64_t kMaxListed = 10'000;

/// Machines and units that the statement lists for each span.
std::uint64_t listed(const Selection& selection) {
  return 1 + (selection.machines ? selection.machines->size() : 0) +
         (selection.units ? selection.units->size() : 0);
}

/// Adds what is read of the time of `selection`.
void choose(const std::map<std::uint64_t, bool>& is_summed, const Selection& selection,
            std::uint64_t listed, ChosenDays& chosen) {
  const auto of_facts = static_cast<std::uint64_t>(std::count_if(
      is_summed.begin(), is_summed.end(), [](const auto& day) { return !day.second; }));
  const std::uint64_t spans = std::clamp<std::uint64_t>(kMaxListed / listed, 1, kMaxSpans);
  const std::uint64_t days = (of_facts + spans - 1) / spans;
  std::uint64_t joined_until = 0;  // the end of the days that may be in one span with the last
  for (const auto& [day, has_sums] : is_summed) {
    const std::uint64_t end = std::min({day + kDay, selection.before, kMaxSecond});
    if (has_sums) {
      chosen.summed.push_back(day);
      joined_until = 0;
    } else if (end <= joined_until) {
      chosen.facts.back().end = end;
    } else {
      chosen.facts.push_back({std::max(day, selection.since), end});
      joined_until = day + days * kDay;
    }
  }
}

bool is_by_machine(Question question) {
  return question == Question::kUnits || question == Question::kChanges ||
         question == Question::kRam || question == Question::kLeaks ||
         question == Question::kAlerts || question == Question::kLargest;
}

bool has_sums(Question question) {
  return question == Question::kMachines || question == Question::kUnits ||
         question == Question::kChanges || question == Question::kRam;
}

}  // namespace

Status ClickhouseReader::ask(Question question, const Selection& selection,
                             const Store::TakeRow& take) {
  SqlParameters parameters = parameters_of(selection);
  const std::string_view text = sql_text("clickhouse", name(question));
  if (has_sums(question)) {
    if (Status status = choose_days(question, selection, parameters); !status) return status;
  } else {
    // The state of an alert is the state in the fact before.
    const std::uint64_t earlier = question == Question::kAlerts ? kDay : 0;
    const std::uint64_t since = std::min(selection.since, kMaxSecond);
    connection_.set_span(since - std::min(since, earlier), std::min(selection.before, kMaxSecond),
                         parameters);
  }
  if (question == Question::kTrend) {
    const auto expired = connection_.expired_before();
    if (!expired) return expired.error();
    const bool is_single = !selection.machines && selection.units && selection.units->size() == 1;
    parameters.values.emplace("expired", *expired);
    if (is_single) parameters.values.emplace("unit", sip_hash(selection.units->front()));
  }
  if (question == Question::kAlerts)
    for (const char* const part : {"snapshots", "facts", "reported", "of_units"})
      parameters.names.emplace(part, connection_.filled(sql_section(text, part), parameters));
  const std::string_view rows = sql_section(text, "rows");
  const std::string sql = connection_.filled(rows.empty() ? text : rows, std::move(parameters));
  if (is_by_machine(question)) return ask_each(sql, take);
  Status whole;
  const HttpOutcome outcome = ClickhouseConnection::read(connection_.shards()[0], sql, whole, take);
  return outcome ? whole : Status(outcome.error());
}

SqlParameters ClickhouseReader::parameters_of(const Selection& selection) const {
  SqlParameters parameters{{},
                           {{"since", std::min(selection.since, kMaxSecond)},
                            {"before", std::min(selection.before, kMaxSecond)},
                            {"base", selection.base}}};
  if (selection.machines) parameters.values.emplace("machines", hashes_of(*selection.machines));
  if (selection.units) parameters.values.emplace("units", hashes_of(*selection.units));
  parameters.names.emplace("latest",
                           connection_.filled(sql_text("clickhouse", "latest"), parameters));
  return parameters;
}

/// Sets what the question reads as sums, and the part of SQL that reads the rest as facts.
Status ClickhouseReader::choose_days(Question question, const Selection& selection,
                                     SqlParameters& parameters) {
  std::vector<Selection> times{selection};
  if (question == Question::kChanges)
    times.push_back({.since = 0, .before = selection.earlier_before});
  ChosenDays chosen;
  for (const Selection& time : times) {
    const auto days = days_of(time);
    if (!days) return days.error();
    choose(*days, time, listed(selection), chosen);
  }
  if (chosen.facts.empty()) chosen.facts.push_back({0, 0});
  const std::string_view section = sql_section(sql_text("clickhouse", name(question)), "facts");
  std::string facts;
  for (const Span& span : chosen.facts) {
    SqlParameters of_span = parameters;
    connection_.set_span(span.first, span.end, of_span);
    facts += (facts.empty() ? "" : "UNION ALL\n") + connection_.filled(section, std::move(of_span));
  }
  parameters.names.emplace("facts", facts);
  parameters.values.emplace("summed_days", chosen.summed);
  return {};
}

/// All shards at once; their rows are taken in turn.
Status ClickhouseReader::ask_each(const std::string& sql, const Store::TakeRow& take) {
  std::mutex taking;
  std::atomic<bool> has_failed = false;
  const Store::TakeRow take_unless_failed = [&](const Row& row) {
    return has_failed ? Status(Error{Error::Kind::kIo, ""}) : take(row);
  };
  const auto ask_one = [&](ClickhouseHttp& shard) {
    Status whole;
    const HttpOutcome outcome =
        ClickhouseConnection::read(shard, sql, whole, take_unless_failed, &taking);
    if (!outcome) whole = outcome.error();
    if (!whole) has_failed = true;
    return whole;
  };
  std::vector<std::future<Status>> answers;
  for (ClickhouseHttp& shard : connection_.shards())
    answers.push_back(std::async(std::launch::async, [&] { return ask_one(shard); }));
  Status status;
  for (std::future<Status>& answer : answers) {
    const Status one = answer.get();
    if (!one && (status || status.error().text.empty())) status = one;
  }
  return status;
}

/// The days of the range that have snapshots or sums, and whether the sums are to be read: the
/// whole day is in the range, and its sums have all snapshots of all shards. Snapshots that are
/// stored twice, and not merged yet, count once.
Result<std::map<std::uint64_t, bool>> ClickhouseReader::days_of(const Selection& selection) {
  const auto expired = connection_.expired_before();
  if (!expired) return expired.error();
  std::map<std::uint64_t, bool> is_summed;
  for (ClickhouseHttp& shard : connection_.shards()) {
    auto found = connection_.rows(shard, "days", parameters_of(selection));
    if (!found) return found.error();
    for (const Row& row : *found) {
      const std::uint64_t day = number_at(row, 0), sums = number_at(row, 1);
      const bool is_whole = day < *expired || (sums > 0 && sums >= number_at(row, 2));
      const bool is_inside = selection.since <= day && day + kDay <= selection.before;
      const auto entry = is_summed.emplace(day, is_inside).first;
      entry->second = entry->second && is_whole;
    }
  }
  return is_summed;
}

}  // namespace physmem::fleet
