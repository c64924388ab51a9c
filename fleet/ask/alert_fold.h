// SPDX-License-Identifier: MIT
// Which alerts opened, closed, and are open: the rule, for the events that a store gives.
//
// A change is an alert that a snapshot reports as open or closed, unless the event before says the
// same. An open alert also closes when a snapshot has no alert of its unit: the report that closed
// it may be missing, and its process may have ended.
//
// A unit may have alerts although no event says that one of them is open: they opened before the
// events begin, or the report is missing. It is known that the unit has such unknown alerts if none
// is known to be open in the first of consecutive snapshots that have alerts of the unit, or in the
// latest snapshot. They end with the unit's alerts, or with the first report that closes an alert
// of which no report is known; others may be open after that.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace physmem::fleet {

/// What a row of Question::kAlerts says.
enum class AlertEvent : std::uint8_t {
  kClosed,      ///< a snapshot reports that the alert is closed
  kOpen,        ///< a snapshot reports that it is open
  kUnitEnded,   ///< a snapshot has no alert of the unit any more
  kUnitStays,   ///< the latest snapshot of the machine has alerts of the unit
  kUnitBegins,  ///< a snapshot has alerts of the unit, and the one before has none or is not known
};

struct AlertName {
  std::string unit, process, rule;

  auto operator<=>(const AlertName&) const = default;
};

/// How often one alert changed on one machine.
struct AlertChanges {
  std::uint64_t opened = 0, closed = 0;
  std::uint64_t first_ms = 0, last_ms = 0;  ///< of these changes; 0: none
  bool is_open = false;                     ///< after the last event
};

class AlertFold {
 public:
  /// Called for alerts that changed or are open. Process and rule are empty for the unknown alerts
  /// of a unit that are open.
  using Take =
      std::function<void(const std::string& machine, const AlertName&, const AlertChanges&)>;

  /// Events before `since_ms` say what was open then.
  AlertFold(std::uint64_t since_ms, Take take) : since_ms_(since_ms), take_(std::move(take)) {}

  /// Events of a machine must be in the order of unit, time and event. Machines may alternate. Of
  /// events of a unit, process and rule have no meaning.
  void add(const std::string& machine, const AlertName& alert, std::uint64_t ms, AlertEvent event);
  /// No more events follow.
  void end();

 private:
  /// The last unit of a machine.
  struct Unit {
    std::string name;
    std::map<AlertName, AlertChanges> alerts;
    bool has_ended = false;  ///< so alerts without events are closed
    bool has_unknown = false;
    bool stays = false;

    bool has_open() const;
  };

  void change(AlertChanges& alert, std::uint64_t ms, bool is_open) const;
  void end_unit(const std::string& machine, Unit& unit);

  std::uint64_t since_ms_;
  Take take_;
  std::map<std::string, Unit> units_;  ///< by machine
};

}  // namespace physmem::fleet
