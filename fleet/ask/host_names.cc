// SPDX-License-Identifier: MIT
#include "fleet/ask/host_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace physmem::fleet {

std::vector<std::string> names_of(const std::vector<Machine>& machines) {
  std::map<std::string, std::size_t> of_name;
  for (const Machine& machine : machines) ++of_name[machine.host];
  std::vector<std::string> names;
  names.reserve(machines.size());
  for (const Machine& machine : machines)
    names.push_back(of_name[machine.host] == 1 ? machine.host
                                               : fmt::format("{} [{}]", machine.host, machine.id));
  return names;
}

std::string first_names(const std::vector<std::string>& names, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), count); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return text + (names.size() > count ? ", …" : "");
}

}  // namespace physmem::fleet
