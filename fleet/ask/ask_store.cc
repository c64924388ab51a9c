// SPDX-License-Identifier: MIT
#include "fleet/ask/ask_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "analyzer/shape/view.h"
#include "fleet/ask/check_times.h"
#include "fleet/ask/later_snapshots.h"
#include "fleet/ask/questions.h"
#include "fleet/ask/selected.h"
#include "fleet/ask/too_large.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

/// Sums are of units on each machine, and the trend of one unit on all machines.
bool reads_sums(const Selected& selected, const Asked& asked) {
  if (asked.question != "trend") return asked.question == "units" || asked.question == "changes";
  return selected.selection.units && selected.selection.units->size() == 1 &&
         !selected.selection.machines;
}

/// Otherwise it does not, whatever machines and units there are.
bool may_read_sums(const Asked& asked) {
  if (asked.question != "trend") return asked.question == "units" || asked.question == "changes";
  return !asked.units.empty() && asked.hosts.empty();
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
    return {"no file of this time matches --file"};
  if (selected.units_are_paths && answer.tables.front().rows.empty())
    return {"nothing of this time matches --file"};
  return {};
}

Result<Answer> answer_of(Store& store, std::uint64_t expired, const Asked& asked) {
  const auto selected = select_with_facts(store, expired, asked);
  if (!selected) return selected.error();
  Result<Answer> answer = find_question(asked.question)->answer(store, *selected, asked);
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

/// The time of all facts that a question sums up: `changes` also compares with what was before.
Result<Selection> time_of(Store& store, const Asked& asked) {
  Asked whole = asked;
  if (asked.question == "changes") whole.since.reset();
  auto selected = select(store, whole);
  if (!selected) return selected.error();
  return std::move(selected->selection);
}

}  // namespace

Result<Answer> answer(Store& store, const Asked& asked) {
  if (Status status = check_order(asked); !status) return status.error();
  const auto expired = store.expired_before();
  if (!expired) return expired.error();
  Result<Answer> answer = answer_of(store, *expired, asked);
  if (answer || answer.error().kind != Error::Kind::kTooLarge) return answer;
  const auto time = time_of(store, asked);
  return time ? with_largest_host(store, *time, answer.error()) : time.error();
}

}  // namespace physmem::fleet
