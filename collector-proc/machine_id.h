// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace physmem::collect {

/// 32 hexadecimal digits that stand for the machine in snapshots, from the text of /etc/machine-id.
/// machine-id(5) asks to keep that id confidential, so this is a keyed digest of it, the one that
/// `systemd-id128 machine-id --app-specific=c05eae8a068b4529a2d23c903aabcef8` prints. Empty if the
/// text is not an id: "uninitialized" while a new image boots for the first time.
std::string machine_id_of(std::string_view text);

/// Of this machine; empty if it has no id.
std::string this_machine_id();

}  // namespace physmem::collect
