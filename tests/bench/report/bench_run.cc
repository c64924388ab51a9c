// SPDX-License-Identifier: MIT
#include "tests/bench/report/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <string_view>

namespace physmem::bench {
namespace {

using Fields = std::vector<std::string>;

Fields fields_of(const std::string& line) {
  Fields fields;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return fields;
}

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

/// Whether the name is a file name without a folder.
bool is_file_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// The error in a line; empty if there is none.
using Flaw = std::string;

Flaw not_a_number(const char* what, const std::string& found) {
  return fmt::format("{}: found \"{}\", expected a number", what, found);
}

Flaw add_machine(const Fields& fields, BenchRun& run) {
  run.machine.emplace_back(fields[1], fields[2]);
  return {};
}

Flaw add_note(const Fields& fields, BenchRun& run) {
  run.notes.push_back(fields[1]);
  return {};
}

Flaw add_goal(const Fields& fields, BenchRun& run) {
  const bool is_measured = fields[2] != "-";
  Goal goal{.name = fields[1], .measured = number(fields[2])};
  if (goal.name.empty()) return "found no name of the goal";
  if (is_measured && !goal.measured) return not_a_number("measured", fields[2]);
  if (fields[3] != "<=" && fields[3] != ">=")
    return fmt::format("comparison: found \"{}\", expected <= or >=", fields[3]);
  goal.is_least = fields[3] == ">=";
  goal.bound = number(fields[4]);
  if (!goal.bound && (is_measured || fields[4] != "-")) return not_a_number("goal", fields[4]);
  goal.unit = fields[5];
  goal.note = fields.size() > 6 ? fields[6] : "";
  if (!is_measured && goal.note.empty())
    return "not measured, and the reason is missing: expected a seventh field";
  run.goals.push_back(goal);
  return {};
}

Flaw add_chart(const Fields& fields, BenchRun& run) {
  if (!is_file_name(fields[1]))
    return fmt::format("name: found \"{}\", expected small letters, digits and -", fields[1]);
  const std::string& scale = fields[5];
  if (scale != "linear" && scale != "log-y" && scale != "log-log")
    return fmt::format("scale: found \"{}\", expected linear, log-y or log-log", scale);
  run.charts.push_back(
      {fields[1], fields[2], fields[3], fields[4], scale == "log-log", scale != "linear"});
  return {};
}

Flaw add_point(const Fields& fields, BenchRun& run) {
  const auto chart = std::find_if(run.charts.begin(), run.charts.end(),
                                  [&](const Chart& c) { return c.name == fields[1]; });
  if (chart == run.charts.end()) return fmt::format("found no chart \"{}\" above", fields[1]);
  const auto x = number(fields[3]);
  const auto y = number(fields[4]);
  if (!x) return not_a_number("x", fields[3]);
  if (!y) return not_a_number("y", fields[4]);
  for (const Point& point : chart->points)
    if (point.line == fields[2] && point.x >= *x)
      return fmt::format("x: found {} after {}, expected a larger one", *x, point.x);
  chart->points.push_back({fields[2], *x, *y});
  return {};
}

struct Kind {
  const char* name;
  std::size_t fields;  ///< minimum number, including the name
  Flaw (*add)(const Fields&, BenchRun&);
};

constexpr Kind kKinds[] = {{"machine", 3, add_machine},
                           {"goal", 6, add_goal},
                           {"note", 2, add_note},
                           {"chart", 6, add_chart},
                           {"point", 5, add_point}};

Flaw add_line(const std::string& line, BenchRun& run) {
  const Fields fields = fields_of(line);
  for (const Kind& kind : kKinds) {
    if (fields[0] != kind.name) continue;
    if (fields.size() < kind.fields)
      return fmt::format("{}: found {} fields, expected {} with tabs between them", kind.name,
                         fields.size(), kind.fields);
    const Flaw flaw = kind.add(fields, run);
    return flaw.empty() ? flaw : fmt::format("{}: {}", kind.name, flaw);
  }
  return fmt::format("found \"{}\", expected machine, goal, note, chart or point", fields[0]);
}

}  // namespace

Verdict Goal::verdict() const {
  if (!measured) return Verdict::kNotMeasured;
  const bool is_met = is_least ? *measured >= *bound : *measured <= *bound;
  return is_met ? Verdict::kMet : Verdict::kMissed;
}

Result<BenchRun> read_bench_run(std::istream& in, const std::string& name) {
  BenchRun run;
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);) {
    ++count;
    if (line.empty()) continue;
    const Flaw flaw = add_line(line, run);
    if (!flaw.empty())
      return Error{Error::Kind::kBadInput, fmt::format("{}:{}: {}", name, count, flaw)};
  }
  if (in.bad()) return Error{Error::Kind::kIo, name + ": cannot be read"};
  if (run.goals.empty())
    return Error{Error::Kind::kBadInput,
                 name + ": found no goal, expected at least one line that begins with \"goal\""};
  return run;
}

}  // namespace physmem::bench
