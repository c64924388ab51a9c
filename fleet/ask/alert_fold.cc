// SPDX-License-Identifier: MIT
#include "fleet/ask/alert_fold.h"

#include <algorithm>

namespace physmem::fleet {

void AlertFold::add(const std::string& machine, const AlertName& alert, std::uint64_t ms,
                    AlertEvent event) {
  Unit& unit = units_[machine];
  if (unit.name != alert.unit) {
    end_unit(machine, unit);
    unit.name = alert.unit;
  }
  switch (event) {
    case AlertEvent::kClosed:
    case AlertEvent::kOpen: {
      const bool is_open = event == AlertEvent::kOpen;
      const auto [found, is_new] = unit.alerts.try_emplace(alert);
      const bool is_unknown = is_new && !unit.has_ended;
      if (is_unknown && !is_open) unit.has_unknown = false;
      if (is_unknown || found->second.is_open != is_open) change(found->second, ms, is_open);
      break;
    }
    case AlertEvent::kUnitEnded:
      unit.has_ended = true;
      unit.has_unknown = false;
      for (auto& [name, changes] : unit.alerts)
        if (changes.is_open) change(changes, ms, false);
      break;
    case AlertEvent::kUnitStays:
      unit.stays = ms >= since_ms_;
      break;
    case AlertEvent::kUnitBegins:
      unit.has_unknown = !unit.has_open();
      unit.has_ended = unit.has_ended && !unit.has_unknown;
      break;
  }
}

bool AlertFold::Unit::has_open() const {
  return std::any_of(alerts.begin(), alerts.end(),
                     [](const auto& alert) { return alert.second.is_open; });
}

void AlertFold::end() {
  for (auto& [machine, unit] : units_) end_unit(machine, unit);
}

void AlertFold::change(AlertChanges& alert, std::uint64_t ms, bool is_open) const {
  alert.is_open = is_open;
  if (ms < since_ms_) return;
  ++(is_open ? alert.opened : alert.closed);
  if (alert.first_ms == 0) alert.first_ms = ms;
  alert.last_ms = ms;
}

void AlertFold::end_unit(const std::string& machine, Unit& unit) {
  for (const auto& [name, changes] : unit.alerts)
    if (changes.first_ms != 0 || changes.is_open) take_(machine, name, changes);
  if (unit.stays && (unit.has_unknown || !unit.has_open()))
    take_(machine, {unit.name, {}, {}}, {.is_open = true});
  unit = {};
}

}  // namespace physmem::fleet
