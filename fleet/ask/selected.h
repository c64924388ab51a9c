// SPDX-License-Identifier: MIT
// The machines and units that a question is about.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fleet/ask/asked.h"
#include "fleet/store/store.h"
#include "program/result.h"

namespace physmem::fleet {

struct Machine {
  std::string id;
  std::string host;  ///< its latest name
  std::uint64_t snapshots = 0;
  std::uint64_t first_ns = 0;
  std::uint64_t last_ns = 0;
  std::uint64_t ledgers = 0;  ///< snapshots that have the whole of RAM
};

struct Selected {
  Selection selection;
  std::vector<Machine> machines;            ///< with snapshots in the time of the selection
  std::map<std::string, std::string> host;  ///< of each machine
  bool units_are_paths = false;             ///< that the user gave, and the store may not have

  /// The name of a machine; its identity, if it is not among `machines`.
  std::string host_of(const std::string& machine) const;
  std::uint64_t snapshots() const;
};

/// Finds the machines whose names fit, and the units, among those that the store has.
Result<Selected> select(Store& store, const Asked& asked);

/// Leaves the machines that --host means: those whose name fits one of the patterns, or whose id is
/// one. Wildcards are for names only: ids are random, and "*db*" would fit many.
void keep_chosen(const Asked& asked, std::vector<Machine>& machines);

/// That there is none. `has_time`: the user gave a time, in which hosts may have other names.
std::string note_on_no_host(bool has_time);

/// The value of a column; 0 or an empty text if it has none.
std::uint64_t number(const Row& row, std::size_t column);
const std::string& text(const Row& row, std::size_t column);
/// A text as the name that it is of (unescaped_name()).
std::string name(const Row& row, std::size_t column);
std::optional<std::uint64_t> known_number(const Row& row, std::size_t column);

}  // namespace physmem::fleet
