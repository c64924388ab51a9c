// SPDX-License-Identifier: MIT
#include "tools/watch/verdict_lines.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "analyzer/shape/faults_shape.h"
#include "program/printable.h"

namespace physmem::watch {
namespace {

using Json = nlohmann::ordered_json;

std::string clock_text(std::uint64_t time_ns) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(time_ns / 1'000'000'000)));
}

void write_line(const Json& json, std::ostream& out) {
  out << json.dump() << '\n';
}

void add(Json& json, const char* key, const SystemWindow::Rate& value, double factor = 1) {
  json[key] = value ? Json(*value * factor) : Json();
}

void add_system(Json& json, const SystemWindow& system) {
  add(json, "refaults_per_s", system.refaults);
  add(json, "scanned_per_s", system.scanned);
  add(json, "group_scanned_per_s", system.group_scanned);
  if (system.held_back.value_or(0) > 0) json["held_group"] = for_export(system.held_group);
  add(json, "swapped_in_per_s", system.swapped_in);
  add(json, "swapped_out_per_s", system.swapped_out);
  add(json, "some_percent", system.some, 100);
  add(json, "full_percent", system.full, 100);
}

Json process_json(const ProcessWindow& process) {
  Json json{{"command", for_export(process.name)},
            {"pid", process.id.pid},
            {"major_per_s", process.major_rate()}};
  add(json, "cpu_ms_per_major", process.lifetime_ms());
  json["share_percent"] = process.share * 100;
  return json;
}

}  // namespace

void VerdictLines::on_header(const Header& header) {
  sampler_.on_header(header);
  time_ns_ = header.time_ns.value_or(0);
}

void VerdictLines::on_sample(std::ostream& out) {
  if (before_) {
    const FaultWindow window = difference(*before_, sampler_.sample(), seconds_);
    seconds_ = window.end;
    const WindowVerdict verdict = detector_.judge(window);
    level_ = verdict.level;
    std::vector<FaultEvent> events = events_of(window, verdict);
    if (events.empty() && is_talkative_)
      events.push_back({window.end,
                        window.has_times,
                        verdict.refault_condition,
                        window.system,
                        LevelChange{level_, level_},
                        {},
                        {}});
    for (const FaultEvent& event : events) write(event, out);
  }
  before_ = sampler_.sample();
}

void VerdictLines::write(const FaultEvent& event, std::ostream& out) const {
  const std::string time = clock_text(time_ns_);
  const std::string sentence = event_sentence(event, detector_.limits());
  if (!is_json_) {
    const std::string line = for_terminal(sentence);
    fmt::print(out, "{} {}\n", time, is_terminal_ ? with_isolates(line) : line);
    return;
  }
  Json json{{"time", time}};
  if (event.level) {
    json.update(
        {{"subject", "system"}, {"from", name(event.level->from)}, {"to", name(event.level->to)}});
    for (const ProcessWindow& process : event.top) json["top"].push_back(process_json(process));
  } else {
    const StateChange& change = *event.process;
    json.update({{"subject", "process"},
                 {"from", name(change.from)},
                 {"to", change.is_gone ? "gone" : name(change.to)}});
    json["process"] = process_json(change.process);
  }
  add_system(json, event.system);
  json["reason"] = for_export(sentence);
  write_line(json, out);
}

void VerdictLines::on_rest(std::ostream& out) {
  const std::string time = clock_text(time_ns_);
  const char* const reason =
      "nothing was reclaimed for a while: asleep until memory is short again";
  if (is_json_)
    write_line({{"time", time},
                {"subject", "system"},
                {"from", name(level_)},
                {"to", "rest"},
                {"reason", reason}},
               out);
  else
    fmt::print(out, "{} {}\n", time, reason);
  before_.reset();
  seconds_ = 0;
  detector_ = ThrashDetector(detector_.limits());
}

}  // namespace physmem::watch
