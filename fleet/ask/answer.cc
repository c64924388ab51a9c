// SPDX-License-Identifier: MIT
#include "fleet/ask/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/ask/alerts_answer.h"
#include "fleet/ask/changes_answer.h"
#include "fleet/ask/check_times.h"
#include "fleet/ask/first_names.h"
#include "fleet/ask/fleet_tables.h"
#include "fleet/ask/gaps_answer.h"
#include "fleet/ask/host_labels.h"
#include "fleet/ask/hosts_answer.h"
#include "fleet/ask/large_sums.h"
#include "fleet/ask/later_snapshots.h"
#include "fleet/ask/leaks_answer.h"
#include "fleet/ask/selected.h"
#include "fleet/ask/units_answer.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

constexpr struct {
  std::string_view name;
  Result<Answer> (*answer)(Store& store, const Selected& selected, const Asked& asked);
} kQuestions[]{{"units", units_answer},     {"hosts", hosts_answer},
               {"changes", changes_answer}, {"trend", trend_answer},
               {"leaks", leaks_answer},     {"gaps", gaps_answer},
               {"alerts", alerts_answer},   {"snapshots", snapshots_answer}};

/// Sums are of units on each machine, and the trend of one unit on all machines.
bool reads_sums(const Selected& selected, const Asked& asked) {
  if (asked.question != "trend") return asked.question == "units" || asked.question == "changes";
  return selected.selection.units && selected.selection.units->size() == 1 &&
         !selected.selection.machines;
}

/// Otherwise it does not, whatever machines and units there are.
bool may_read_sums(const Asked& asked) {
  if (asked.question != "trend") return asked.question == "units" || asked.question == "changes";
  return !asked.units.empty() && asked.hosts.empty() && asked.left_out.empty();
}

/// Questions that read no sums begin where there are facts, and count the snapshots from there on.
/// Machines are listed twice only if it is not known before which question it is.
Result<Selected> select_with_facts(Store& store, std::uint64_t expired, const Asked& asked) {
  Asked of_facts = asked;
  of_facts.since = std::max(asked.since.value_or(0), expired);
  if (!may_read_sums(asked)) return select(store, expired == 0 ? asked : of_facts);
  auto selected = select(store, asked);
  if (!selected) return selected;
  if (reads_sums(*selected, asked)) {
    if (Status status = check_expired(expired, asked); !status) return status.error();
    return selected;
  }
  return asked.since.value_or(0) < expired ? select(store, of_facts) : std::move(selected);
}

/// What an answer does not have, if its time begins where facts were removed.
std::string note_on_sums(std::uint64_t expired, const Selected& selected, const Asked& asked) {
  if (asked.since.value_or(0) >= expired || reads_sums(selected, asked)) return {};
  return fmt::format("without what was before {}: the store has only sums of these days",
                     utc_text(expired * kSecondNs));
}

/// Why an answer has nothing.
std::vector<std::string> notes(const Selected& selected, const Asked& asked, const Answer& answer) {
  if (selected.machines.empty() && answer.snapshots == 0)
    return {asked.hosts.empty() ? "no snapshot in this time"
                                : note_on_no_host(asked.since || asked.until)};
  if (selected.selection.units && selected.selection.units->empty())
    return {"no unit of this time matches --unit"};
  if (selected.units_are_paths && answer.tables.front().rows.empty())
    return {"nothing of this time matches --unit"};
  return {};
}

Result<Answer> answer_of(Store& store, std::uint64_t expired, const Asked& asked) {
  const auto selected = select_with_facts(store, expired, asked);
  if (!selected) return selected.error();
  const auto question = std::find_if(std::begin(kQuestions), std::end(kQuestions),
                                     [&](const auto& q) { return q.name == asked.question; });
  Result<Answer> answer = question->answer(store, *selected, asked);
  if (!answer) return answer;
  answer->notes = notes(*selected, asked, *answer);
  if (std::string note = note_on_sums(expired, *selected, asked); !note.empty())
    answer->missing.push_back(std::move(note));
  const auto later = note_on_later_snapshots(store, asked);
  if (!later) return later.error();
  if (!later->empty()) answer->missing.push_back(*later);
  if (asked.top)
    for (Table& table : answer->tables)
      if (table.rows.size() > *asked.top) table.rows.resize(*asked.top);
  return answer;
}

bool is_too_large_sum(const Error& error) {
  return error.kind == Error::Kind::kTooLarge;
}

/// Of machines whose reports are wrong.
std::string note_on_left_out(const LargeSums& sums) {
  std::vector<std::string> names;
  for (const auto& [machine, host] : sums.machines) names.push_back(host);
  std::sort(names.begin(), names.end());
  constexpr std::size_t kNamed = 10;
  std::string time;
  if (sums.since) time += " --since " + utc_text(*sums.since * kSecondNs);
  if (sums.until) time += " --until " + utc_text(*sums.until * kSecondNs);
  const std::string their = names.size() == 1 ? "its" : "their";
  return fmt::format(
      "without {} whose sums of sizes are above 8 EB, because {} reports are wrong: {} "
      "(physmem-fleet remove --host HOST{} removes {}{})",
      counted(names.size(), "host"), their, first_names(names, kNamed), time,
      time.empty() ? "them, with --since and --until for the time of the wrong reports"
                   : "all " + their + " reports of this time",
      sums.has_ids ? kNoteOnIds : "");
}

/// Which reports may be wrong.
Error with_hosts(Error too_large, const LargeSums& sums) {
  if (!sums.largest.empty())
    too_large.text +=
        "; the largest sums are those of " + first_names(sums.largest, LargeSums::kLargest);
  return too_large;
}

std::string note_on_left_out_days(const std::set<std::uint64_t>& days) {
  const std::string first = day_text(*days.begin()), last = day_text(*days.rbegin());
  return fmt::format(
      "without {}, {}, whose sums of sizes are above 8 EB: reports of {} were wrong, and the store "
      "has only the sums of all hosts",
      counted(days.size(), "day"), days.size() == 1 ? first : first + " to " + last,
      days.size() == 1 ? "this day" : "these days");
}

/// A trend without the days that have only their sums over all machines, if these are too large: no
/// machine can be left out of them. If other days have too large sums, the error stays.
Result<Answer> answer_of_other_days(Store& store, std::uint64_t expired, const Asked& asked,
                                    const LargeSums& sums, const Error& too_large) {
  Asked of_others = asked;
  of_others.left_out_days = {sums.days.begin(), sums.days.lower_bound(expired)};
  if (of_others.left_out_days.size() != sums.days.size() || sums.days.empty()) return too_large;
  Result<Answer> answer = answer_of(store, expired, of_others);
  if (!answer) return answer;
  answer->missing.push_back(note_on_left_out_days(sums.days));
  answer->is_incomplete = true;
  return answer;
}

/// The answer of all machines but those that have the sums that are too large. If these are not of
/// single machines or days without facts, or no other machine is left, the error stays.
Result<Answer> answer_of_others(Store& store, std::uint64_t expired, const Asked& asked,
                                const Error& too_large) {
  const auto found = find_large_sums(store, expired, asked);
  if (!found) return found.error();
  if (found->machines.empty())
    return answer_of_other_days(store, expired, asked, *found, with_hosts(too_large, *found));
  Asked of_others = asked;
  for (const auto& [machine, host] : found->machines) of_others.left_out.insert(machine);
  Result<Answer> answer = answer_of(store, expired, of_others);
  if (!answer && is_too_large_sum(answer.error())) return with_hosts(too_large, *found);
  if (!answer) return answer;
  if (answer->snapshots == 0) {
    const auto left = select_with_facts(store, expired, of_others);
    if (!left) return left.error();
    if (left->machines.empty()) return with_hosts(too_large, *found);
  }
  answer->missing.push_back(note_on_left_out(*found));
  answer->is_incomplete = true;
  return answer;
}

}  // namespace

Result<Answer> answer(Store& store, const Asked& asked) {
  if (Status status = check_order(asked); !status) return status.error();
  const auto expired = store.expired_before();
  if (!expired) return expired.error();
  Result<Answer> answer = answer_of(store, *expired, asked);
  if (answer || !is_too_large_sum(answer.error())) return answer;
  return answer_of_others(store, *expired, asked, answer.error());
}

}  // namespace physmem::fleet
