// SPDX-License-Identifier: MIT
#include "fleet/ask/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "analyzer/shape/view.h"
#include "fleet/ask/alerts_answer.h"
#include "fleet/ask/changes_answer.h"
#include "fleet/ask/hosts_answer.h"
#include "fleet/ask/leaks_answer.h"
#include "fleet/ask/selected.h"
#include "fleet/ask/units_answer.h"
#include "fleet/model/report.h"

namespace physmem::fleet {
namespace {

constexpr struct {
  std::string_view name;
  Result<Answer> (*answer)(Store& store, const Selected& selected, const Asked& asked);
} kQuestions[]{{"units", units_answer},     {"hosts", hosts_answer},
               {"changes", changes_answer}, {"trend", trend_answer},
               {"leaks", leaks_answer},     {"gaps", gaps_answer},
               {"alerts", alerts_answer},   {"snapshots", snapshots_answer}};

/// Of a day that has only its sum, a part cannot be asked.
Status check_expired(std::uint64_t expired, const Asked& asked) {
  for (const auto& time : {asked.since, asked.until, asked.before})
    if (time && *time < expired && *time % kDay != 0)
      return Error{Error::Kind::kUsage,
                   fmt::format("found the time {}, expected a midnight (UTC): before {} the store "
                               "has only sums of days",
                               utc_text(*time * 1'000'000'000), utc_text(expired * 1'000'000'000))};
  return {};
}

/// Times in the wrong order would be an empty answer, or count snapshots on both sides.
Status check_order(const Asked& asked) {
  const auto text = [](std::uint64_t second) { return utc_text(second * 1'000'000'000); };
  if (asked.since && asked.until && *asked.since >= *asked.until)
    return Error{Error::Kind::kUsage,
                 fmt::format("--until: found {}, expected a time after --since, {}",
                             text(*asked.until), text(*asked.since))};
  if (asked.since && asked.before && *asked.before > *asked.since)
    return Error{Error::Kind::kUsage,
                 fmt::format("--before: found {}, expected --since, {}, or a time before it",
                             text(*asked.before), text(*asked.since))};
  return {};
}

/// What an answer does not have, if its time begins where facts were removed. Sums are of units on
/// each machine, and the trend of one unit on all machines.
std::string note_on_sums(std::uint64_t expired, const Selected& selected, const Asked& asked) {
  if (asked.since.value_or(0) >= expired || asked.question == "units" ||
      asked.question == "changes")
    return {};
  const bool is_of_one = selected.selection.units && selected.selection.units->size() == 1 &&
                         !selected.selection.machines;
  if (asked.question == "trend" && is_of_one) return {};
  return fmt::format("without what was before {}: the store has only sums of these days",
                     utc_text(expired * 1'000'000'000));
}

std::vector<std::string> notes(const Selected& selected, const Asked& asked, const Answer& answer) {
  std::vector<std::string> notes;
  if (!asked.hosts.empty() && selected.machines.empty() && answer.snapshots == 0)
    notes.emplace_back("no host with snapshots in this time matches --host");
  if (selected.selection.units && selected.selection.units->empty())
    notes.emplace_back("no unit of this time matches --unit");
  return notes;
}

}  // namespace

Result<Answer> answer(Store& store, const Asked& asked) {
  if (Status status = check_order(asked); !status) return status.error();
  const auto expired = store.expired_before();
  if (!expired) return expired.error();
  if (Status status = check_expired(*expired, asked); !status) return status.error();
  const auto selected = select(store, asked);
  if (!selected) return selected.error();
  const auto question = std::find_if(std::begin(kQuestions), std::end(kQuestions),
                                     [&](const auto& q) { return q.name == asked.question; });
  Result<Answer> answer = question->answer(store, *selected, asked);
  if (!answer) return answer;
  answer->notes = notes(*selected, asked, *answer);
  if (std::string note = note_on_sums(*expired, *selected, asked); !note.empty())
    answer->missing.push_back(std::move(note));
  if (selected->units_are_paths && answer->tables.front().rows.empty())
    answer->notes.emplace_back("nothing of this time matches --unit");
  if (asked.top)
    for (Table& table : answer->tables)
      if (table.rows.size() > *asked.top) table.rows.resize(*asked.top);
  return answer;
}

}  // namespace physmem::fleet
