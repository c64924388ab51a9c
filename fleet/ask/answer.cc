// SPDX-License-Identifier: MIT
#include "fleet/ask/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "analyzer/shape/view.h"
#include "fleet/ask/hosts_answer.h"
#include "fleet/ask/selected.h"
#include "fleet/ask/units_answer.h"
#include "fleet/model/report.h"

namespace physmem::fleet {
namespace {

constexpr struct {
  std::string_view name;
  Result<Answer> (*answer)(Store& store, const Selected& selected, const Asked& asked);
} kQuestions[]{{"units", units_answer},        {"hosts", hosts_answer}, {"changes", changes_answer},
               {"trend", trend_answer},        {"leaks", leaks_answer}, {"gaps", gaps_answer},
               {"snapshots", snapshots_answer}};

/// Of a day that has only its sum, a part cannot be asked.
Status check_expired(Store& store, const Asked& asked) {
  const auto expired = store.expired_before();
  if (!expired) return expired.error();
  for (const auto& time : {asked.since, asked.until, asked.before})
    if (time && *time < *expired && *time % kDay != 0)
      return Error{
          Error::Kind::kUsage,
          fmt::format("found the time {}, expected a midnight (UTC): before {} the store "
                      "has only sums of days",
                      utc_text(*time * 1'000'000'000), utc_text(*expired * 1'000'000'000))};
  return {};
}

}  // namespace

Result<Answer> answer(Store& store, const Asked& asked) {
  if (Status status = check_expired(store, asked); !status) return status.error();
  const auto selected = select(store, asked);
  if (!selected) return selected.error();
  const auto question = std::find_if(std::begin(kQuestions), std::end(kQuestions),
                                     [&](const auto& q) { return q.name == asked.question; });
  Result<Answer> answer = question->answer(store, *selected, asked);
  if (answer && asked.top)
    for (Table& table : answer->tables)
      if (table.rows.size() > *asked.top) table.rows.resize(*asked.top);
  return answer;
}

}  // namespace physmem::fleet
