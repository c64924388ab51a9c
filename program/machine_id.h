// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// The id of the machine in snapshots: 32 hexadecimal digits, from the text of /etc/machine-id.
/// machine-id(5) requires that id to be kept confidential, so this is a keyed digest of it. It is
/// the one printed by `systemd-id128 machine-id --app-specific=c05eae8a068b4529a2d23c903aabcef8`.
/// Empty if the text is not an id: "uninitialized" while a new image boots for the first time.
std::string machine_id_of(std::string_view text);

/// The id of this machine; empty if it has none.
std::string this_machine_id();

/// What a snapshot says of its machine. Each may be empty.
struct MachineNames {
  std::string_view machine_id;
  std::string_view boot_id;
  std::string_view host;
};
/// Whether this is the machine, by the first of these that is not empty. Elsewhere the same user
/// ids may have other names.
bool is_this_machine(const MachineNames& names);

}  // namespace physmem
