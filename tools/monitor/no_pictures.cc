// SPDX-License-Identifier: MIT
#include "tools/monitor/pictures.h"

namespace physmem::monitor {

Status check_picture_name(const std::string&) {
  return Error{Error::Kind::kUsage,
               "--plot: this build of physmem-monitor cannot draw pictures; write the text here "
               "and plot it with a full installation"};
}

Status draw(std::ostream&, const std::string& name, const Series&) {
  return check_picture_name(name);
}

}  // namespace physmem::monitor
