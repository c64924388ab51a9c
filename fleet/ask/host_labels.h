// SPDX-License-Identifier: MIT
// How messages name machines: so that --host, with what they print, means exactly this machine.
#pragma once

#include <map>
#include <set>
#include <string>

#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

/// "web1", or "web1 [3f5c20a1]" with the machine id, which --host takes, too. The name is alone
/// only if this machine is the only one that has it as its latest name, both in the time of the
/// message and in all times. A name that is not plain is never alone: it could be a pattern, or
/// look like two names in a list.
class HostLabels {
 public:
  void add(const std::string& host, const std::string& machine);
  /// By its latest name in all times.
  void add_of_all_times(const std::string& host, const std::string& machine);

  std::string of(const std::string& machine) const;
  bool has_id(const std::string& machine) const;

 private:
  using Machines = std::map<std::string, std::set<std::string>>;  ///< by name

  static bool is_only(const Machines& machines, const std::string& host,
                      const std::string& machine);
  const std::string& name_of(const std::string& machine) const;

  std::map<std::string, std::string> names_;  ///< by machine
  std::set<std::string> ids_;
  Machines in_time_, in_all_times_;
};

/// After a command with --host HOST in a message of which a label has an id.
inline constexpr const char* kNoteOnIds = "; --host ID if an id in brackets follows the name";

/// Of the machines with snapshots in the time of the selection, in which --host is used.
Result<HostLabels> labels_of(Store& store, const Selection& selection);

}  // namespace physmem::fleet
