// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_alert_groups.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace physmem::fleet {
namespace {

using Times = std::vector<std::uint64_t>;  ///< ms since 1970

struct Event {
  std::uint64_t ms = 0;
  bool is_gone = false;  ///< the snapshot has no alert of the unit; otherwise it reports this alert
  bool is_open = false;

  auto operator<=>(const Event&) const = default;
};

/// Columns 4 to 8 of alerts.sql.
struct Changes {
  std::uint64_t opened = 0, closed = 0, first_ms = 0, last_ms = 0;
  bool is_open = false;

  void add(const Event& event) {
    ++(event.is_open ? opened : closed);
    if (first_ms == 0) first_ms = event.ms;
    last_ms = event.ms;
  }
};

/// Changes from `since_ms` on.
Changes changes_of(std::vector<Event> events, std::uint64_t since_ms) {
  std::sort(events.begin(), events.end());
  Changes changes;
  bool is_known = false;
  for (const Event& event : events) {
    const bool is_change = !is_known ? !event.is_gone : event.is_open != changes.is_open;
    if (is_change && event.ms >= since_ms) changes.add(event);
    changes.is_open = event.is_open;
    is_known = true;
  }
  return changes;
}

/// Facts: alerts.sql states them.
class AlertGroups : public FactGroups {
 public:
  void add(const SqliteArguments& fact) override {
    const std::uint64_t ms = fact.number(0);
    since_ms_ = fact.number(1);
    if (fact.is_null(2)) {
      snapshots_.push_back(ms);
      return;
    }
    Unit& unit = units_[fact.number(2)];
    const bool is_alert = !fact.is_null(5);
    const bool is_open = is_alert && fact.number(5) != 0;
    if (!is_alert || is_open) unit.times.push_back(ms);
    if (is_alert) unit.alerts[{fact.number(3), fact.number(4)}].push_back({ms, false, is_open});
  }

  Status take_rows(const std::string& machine, const TextOf& text_of,
                   const Store::TakeRow& take) override {
    std::sort(snapshots_.begin(), snapshots_.end());
    for (auto& [id, unit] : units_)
      if (Status status = take_unit(machine, id, unit, text_of, take); !status) return status;
    units_.clear();
    snapshots_.clear();
    return {};
  }

 private:
  struct Unit {
    Times times;  ///< of snapshots with alerts of it
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Event>> alerts;
  };

  Status take_unit(const std::string& machine, std::uint64_t id, Unit& unit, const TextOf& text_of,
                   const Store::TakeRow& take) {
    keep_known(unit.times);
    const std::vector<Event> gone = gone_after(unit.times);
    bool is_listed = false;  // an open alert of the unit
    for (auto& [names, events] : unit.alerts) {
      events.insert(events.end(), gone.begin(), gone.end());
      const Changes changes = changes_of(std::move(events), since_ms_);
      is_listed = is_listed || changes.is_open;
      if (changes.first_ms == 0 && !changes.is_open) continue;
      if (Status status =
              take_alert(machine, {id, names.first, names.second}, changes, text_of, take);
          !status)
        return status;
    }
    const bool is_open = !unit.times.empty() && unit.times.back() == snapshots_.back() &&
                         unit.times.back() >= since_ms_;
    if (!is_open || is_listed) return {};
    return take_alert(machine, {id, 0, 0}, {.is_open = true}, text_of, take);
  }

  /// Those of snapshots that have units, sorted, each once.
  void keep_known(Times& times) const {
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    std::erase_if(times, [&](std::uint64_t ms) {
      return !std::binary_search(snapshots_.begin(), snapshots_.end(), ms);
    });
  }

  /// After snapshots with alerts of a unit, the first one without.
  std::vector<Event> gone_after(const Times& times) const {
    std::vector<Event> gone;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const auto next = std::upper_bound(snapshots_.begin(), snapshots_.end(), times[i]);
      if (next != snapshots_.end() && (i + 1 == times.size() || times[i + 1] != *next))
        gone.push_back({*next, true, false});
    }
    return gone;
  }

  /// `ids`: texts of unit, process and rule; 0: none.
  static Status take_alert(const std::string& machine, const std::array<std::uint64_t, 3>& ids,
                           const Changes& changes, const TextOf& text_of,
                           const Store::TakeRow& take) {
    Row row;
    for (const std::uint64_t id : ids) {
      const auto text = id != 0 ? text_of(id) : Result<const std::string*>(&kNone);
      if (!text) return text.error();
      row.emplace_back(**text);
    }
    row.emplace_back(machine);
    for (const std::uint64_t number :
         {changes.opened, changes.closed, std::uint64_t{changes.is_open}, changes.first_ms,
          changes.last_ms})
      row.emplace_back(number);
    return take(row);
  }

  inline static const std::string kNone;

  std::uint64_t since_ms_ = 0;
  Times snapshots_;  ///< that have units
  std::map<std::uint64_t, Unit> units_;
};

}  // namespace

std::unique_ptr<FactGroups> alert_groups() {
  return std::make_unique<AlertGroups>();
}

}  // namespace physmem::fleet
