// SPDX-License-Identifier: MIT
#include "analyzer/cli/this_machine.h"

#include <sys/utsname.h>

#include <fstream>

namespace physmem {

bool is_of_this_machine(const Header& header) {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot_id;
  if (std::getline(file, boot_id) && !header.boot_id.empty()) return header.boot_id == boot_id;
  utsname names{};
  return !header.host.empty() && ::uname(&names) == 0 && header.host == names.nodename;
}

}  // namespace physmem
