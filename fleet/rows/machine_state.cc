// SPDX-License-Identifier: MIT
#include "fleet/rows/machine_state.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "fleet/rows/name_text.h"
#include "program/option_value.h"
#include "program/output_file.h"

namespace physmem::fleet {
namespace {

constexpr const char* kMagic = "physmem-fleet-state 1";

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t at = 0;
  for (std::size_t tab = 0; (tab = line.find('\t', at)) != line.npos; at = tab + 1)
    fields.push_back(line.substr(at, tab - at));
  fields.push_back(line.substr(at));
  return fields;
}

}  // namespace

Result<MachineState> MachineState::read(const std::string& path) {
  MachineState state;
  std::ifstream file(path, std::ios::binary);
  if (!file && errno == ENOENT) return state;
  if (!file) return Error{Error::Kind::kIo, path + ": cannot open: " + std::strerror(errno)};
  const auto wrong = [&](int line) {
    return Error{Error::Kind::kBadInput,
                 fmt::format("{}:{}: found something else, expected what --state writes (remove "
                             "the file to begin again)",
                             path, line)};
  };
  std::string line;
  if (!std::getline(file, line) || line != kMagic) return wrong(1);
  if (!std::getline(file, line)) return wrong(2);
  const std::vector<std::string> head = fields_of(line);
  const auto next = head.size() == 3 ? number_of<std::uint64_t>(head[2]) : std::nullopt;
  if (!next) return wrong(2);
  state.machine = head[0];
  state.boot = head[1];
  state.next = *next;
  for (int number = 3; std::getline(file, line); ++number) {
    const std::vector<std::string> alert = fields_of(line);
    if (alert.size() != 3 || !is_escaped_name(line.substr(0, line.find('\t'))))
      return wrong(number);
    state.alerts.emplace(alert[0], alert[1], alert[2]);
  }
  return state;
}

Status MachineState::write(const std::string& path) const {
  OutputFile file(path, OutputKind::kSnapshot);
  file.stream() << kMagic << '\n' << machine << '\t' << boot << '\t' << next << '\n';
  for (const auto& [unit, process, rule] : alerts)
    file.stream() << unit << '\t' << process << '\t' << rule << '\n';
  const std::string problem = file.commit();
  return problem.empty() ? Status() : Error{Error::Kind::kIo, problem};
}

void MachineState::number(SnapshotLine& line) {
  if (line.machine != machine || line.boot != boot) next = 0;
  machine = line.machine;
  boot = line.boot;
  if (line.sequence)
    next = *line.sequence + 1;
  else
    line.sequence = next++;
}

}  // namespace physmem::fleet
