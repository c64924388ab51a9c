// SPDX-License-Identifier: MIT
#include "fleet/ask/host_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

#include "fleet/ask/selected.h"
#include "fleet/model/report.h"
#include "program/printable.h"

namespace physmem::fleet {
namespace {

bool is_plain(const std::string& name) {
  constexpr std::string_view kPlain =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.:@+";
  return !name.empty() && name.find_first_not_of(kPlain) == name.npos;
}

std::string shown_name(const std::string& name) {
  return is_plain(name) ? name : in_quotes(name, kWholePath);
}

Status take_names(Store& store, const Selection& selection,
                  const std::function<void(const std::string&, const std::string&)>& add) {
  const Selection time{.since = selection.since, .before = selection.before};
  return store.ask(Question::kMachines, time, [&](const Row& row) -> Status {
    add(name(row, 1), text(row, 0));
    return {};
  });
}

}  // namespace

void HostLabels::add(const std::string& host, const std::string& machine) {
  names_[machine] = host;
  in_time_[host].insert(machine);
}

void HostLabels::add_of_all_times(const std::string& host, const std::string& machine) {
  ids_.insert(machine);
  in_all_times_[host].insert(machine);
}

bool HostLabels::is_only(const Machines& machines, const std::string& host,
                         const std::string& machine) {
  const auto found = machines.find(host);
  return found != machines.end() && found->second.size() == 1 && found->second.contains(machine);
}

const std::string& HostLabels::name_of(const std::string& machine) const {
  const auto found = names_.find(machine);
  return found == names_.end() ? machine : found->second;
}

bool HostLabels::has_id(const std::string& machine) const {
  const std::string& host = name_of(machine);
  const bool is_id_of_another = host != machine && ids_.contains(host);
  return !is_plain(host) || is_id_of_another || !is_only(in_time_, host, machine) ||
         !is_only(in_all_times_, host, machine);
}

std::string HostLabels::of(const std::string& machine) const {
  const std::string name = shown_name(name_of(machine));
  return has_id(machine) ? fmt::format("{} [{}]", name, shown_name(machine)) : name;
}

Result<HostLabels> labels_of(Store& store, const Selection& selection) {
  HostLabels labels;
  if (Status status =
          take_names(store, selection, std::bind_front(&HostLabels::add, std::ref(labels)));
      !status)
    return status.error();
  const Selection all_times{.before = kMaxSecond + 1};
  if (Status status = take_names(store, all_times,
                                 std::bind_front(&HostLabels::add_of_all_times, std::ref(labels)));
      !status)
    return status.error();
  return labels;
}

}  // namespace physmem::fleet
