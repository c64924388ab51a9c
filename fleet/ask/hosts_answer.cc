// SPDX-License-Identifier: MIT
#include "fleet/ask/hosts_answer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fleet/ask/fleet_tables.h"
#include "program/duration.h"

namespace physmem::fleet {
namespace {

/// The place of a snapshot, in the archive that the user named. A host may report any place, so it
/// stays as it is if it leads out of the archive.
std::string path_of(const std::string& place, const Asked& asked) {
  if (place.starts_with('/') || ("/" + place + "/").find("/../") != std::string::npos) return place;
  const bool has_slash = asked.archive.empty() || asked.archive.ends_with('/');
  return asked.archive + (has_slash ? "" : "/") + place;
}

/// Of each machine, the latest snapshot that can be opened.
Result<std::map<std::string, std::string>> last_kept(Store& store, const Selected& selected,
                                                     const Asked& asked) {
  std::map<std::string, std::string> paths;
  const auto take = [&](const Row& row) -> Status {
    paths[text(row, 0)] = path_of(name(row, 2), asked);
    return {};
  };
  Status status = store.ask(Question::kLastKept, selected.selection, take);
  if (!status) return status.error();
  return paths;
}

/// The less available, the earlier; unknown last.
bool is_worse(const HostRow& a, const HostRow& b) {
  const auto share = [](const HostRow& row) {
    if (!row.ram || !row.available || *row.ram == 0) return 2.0;
    return static_cast<double>(*row.available) / static_cast<double>(*row.ram);
  };
  return std::tuple(share(a), a.host, a.machine) < std::tuple(share(b), b.host, b.machine);
}

HostRow host_row(const Row& row, const Selected& selected,
                 const std::map<std::string, std::string>& kept) {
  HostRow host;
  host.machine = text(row, 0);
  host.host = selected.host_of(host.machine);
  host.time_ns = number(row, 1);
  if (const auto found = kept.find(host.machine); found != kept.end()) host.archive = found->second;
  host.kernel = name(row, 2);
  host.release = name(row, 3);
  host.ram = known_number(row, 5) ? known_number(row, 5) : known_number(row, 4);
  host.available = known_number(row, 6);
  const auto swap = known_number(row, 7), swap_free = known_number(row, 8);
  if (swap && swap_free) host.swap_used = *swap - std::min(*swap, *swap_free);
  host.processes = known_number(row, 9);
  host.alerts = known_number(row, 10);
  return host;
}

/// Of two parts of a sum (leaks.sql).
long double joined(const Row& row, std::size_t column, unsigned shift) {
  return static_cast<long double>(number(row, column)) *
             static_cast<long double>(std::uint64_t{1} << shift) +
         static_cast<long double>(number(row, column + 1));
}

/// Least squares. The sums are exact, and long double has 64 bits.
GrowthRow growth_row(const Row& row, const Selected& selected,
                     const std::map<std::string, std::string>& kept) {
  GrowthRow growth;
  if (const auto found = kept.find(text(row, 0)); found != kept.end())
    growth.archive = found->second;
  growth.host = selected.host_of(text(row, 0));
  growth.name = name(row, 1);
  growth.cgroup = name(row, 2);
  growth.samples = number(row, 3);
  growth.first = number(row, 4);
  growth.last = number(row, 5);
  growth.min = number(row, 6);
  growth.max = number(row, 7);
  const auto n = static_cast<long double>(growth.samples);
  const auto t = static_cast<long double>(number(row, 8));
  const long double tt = joined(row, 9, 12);
  const auto x = static_cast<long double>(number(row, 11));
  const long double tx = joined(row, 12, 20);
  const auto k = static_cast<long double>(number(row, 14));
  const long double kk = joined(row, 15, 10);
  const long double of_t = n * tt - t * t, of_tx = n * tx - t * x, of_k = n * kk - k * k;
  growth.mean = static_cast<double>(x / n);
  growth.slope = static_cast<double>(of_tx / of_t);
  // k is in KiB.
  if (of_k > 0)
    growth.fit = std::min(1.0, static_cast<double>(of_tx * of_tx / (of_t * of_k * 1024 * 1024)));
  return growth;
}

/// s of one snapshot; nothing if the machine has only one.
std::optional<std::uint64_t> mean_interval(const Machine& machine) {
  if (machine.snapshots < 2) return std::nullopt;
  return (machine.last_ns - machine.first_ns) / kSecondNs / (machine.snapshots - 1);
}

/// A machine is late if its last snapshot is older than three of its mean intervals; a machine with
/// one snapshot, than three of the largest interval of the others. Machine → age in s.
std::map<std::string, std::uint64_t> late_machines(const std::vector<Machine>& machines,
                                                   std::uint64_t now) {
  constexpr std::uint64_t kLate = 3;
  std::uint64_t largest = 0;
  for (const Machine& machine : machines)
    largest = std::max(largest, mean_interval(machine).value_or(0));
  std::map<std::string, std::uint64_t> late;
  for (const Machine& machine : machines) {
    const std::uint64_t interval = mean_interval(machine).value_or(largest);
    const std::uint64_t last = machine.last_ns / kSecondNs;
    const bool is_judged = machine.snapshots > 1 || largest != 0;
    if (is_judged && now > last + kLate * std::max<std::uint64_t>(interval, 1))
      late[machine.id] = now - last;
  }
  return late;
}

}  // namespace

Result<Answer> hosts_answer(Store& store, const Selected& selected, const Asked& asked) {
  const auto kept = last_kept(store, selected, asked);
  if (!kept) return kept.error();
  std::vector<HostRow> rows;
  const auto take = [&](const Row& row) -> Status {
    rows.push_back(host_row(row, selected, *kept));
    return {};
  };
  if (Status status = store.ask(Question::kHosts, selected.selection, take); !status)
    return status.error();
  std::sort(rows.begin(), rows.end(), is_worse);
  return Answer{.tables = {hosts_table(rows, asked.until.value_or(asked.now))},
                .snapshots = rows.size()};
}

Result<Answer> leaks_answer(Store& store, const Selected& selected, const Asked& asked) {
  const auto kept = last_kept(store, selected, asked);
  if (!kept) return kept.error();
  Selection selection = selected.selection;
  std::uint64_t first_ns = std::numeric_limits<std::uint64_t>::max();
  for (const Machine& machine : selected.machines) first_ns = std::min(first_ns, machine.first_ns);
  selection.base = selected.machines.empty() ? 0 : first_ns / kSecondNs;
  std::vector<GrowthRow> rows;
  std::uint64_t judged = 0;
  const auto take = [&](const Row& row) -> Status {
    ++judged;
    GrowthRow growth = growth_row(row, selected, *kept);
    if (growth.slope > 0) rows.push_back(std::move(growth));
    return {};
  };
  if (Status status = store.ask(Question::kLeaks, selection, take); !status) return status.error();
  std::sort(rows.begin(), rows.end(), [](const GrowthRow& a, const GrowthRow& b) {
    return std::tuple(-a.slope * a.seconds(), a.host, a.name, a.cgroup) <
           std::tuple(-b.slope * b.seconds(), b.host, b.name, b.cgroup);
  });
  return Answer{.tables = {leaks_table(rows, judged)}, .snapshots = selected.snapshots()};
}

Result<Answer> gaps_answer(Store& store, const Selected& selected, const Asked& asked) {
  const std::map<std::string, std::uint64_t> late =
      late_machines(selected.machines, asked.until.value_or(asked.now));
  std::vector<GapRow> rows;
  const auto take = [&](const Row& row) -> Status {
    GapRow gap{text(row, 0),   selected.host_of(text(row, 0)),
               name(row, 1),   number(row, 2),
               number(row, 3), number(row, 4),
               number(row, 5), number(row, 6),
               number(row, 7), {}};
    // Of its boots, the last one is late.
    if (!rows.empty() && rows.back().machine == gap.machine) rows.back().late_s.reset();
    if (const auto found = late.find(gap.machine); found != late.end()) gap.late_s = found->second;
    rows.push_back(std::move(gap));
    return {};
  };
  if (Status status = store.ask(Question::kGaps, selected.selection, take); !status)
    return status.error();
  rows.erase(
      std::remove_if(rows.begin(), rows.end(), [](const GapRow& row) { return !row.has_gap(); }),
      rows.end());
  std::stable_sort(rows.begin(), rows.end(), [](const GapRow& a, const GapRow& b) {
    return std::tie(a.host, a.machine) < std::tie(b.host, b.machine);
  });
  return Answer{.tables = {gaps_table(rows, selected.machines.size())},
                .snapshots = selected.snapshots()};
}

Result<Answer> snapshots_answer(Store& store, const Selected& selected, const Asked& asked) {
  std::vector<KeptRow> rows;
  const auto take = [&](const Row& row) -> Status {
    const std::string machine = text(row, 0);
    rows.push_back({selected.host_of(machine), machine, path_of(name(row, 2), asked),
                    number(row, 1), known_number(row, 3)});
    return {};
  };
  if (Status status = store.ask(Question::kKept, selected.selection, take); !status)
    return status.error();
  std::stable_sort(rows.begin(), rows.end(), [](const KeptRow& a, const KeptRow& b) {
    return std::tie(a.host, a.machine) < std::tie(b.host, b.machine);
  });
  return Answer{.tables = {snapshots_table(rows, selected.machines.size())},
                .snapshots = rows.size()};
}

}  // namespace physmem::fleet
