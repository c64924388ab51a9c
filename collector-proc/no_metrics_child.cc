// SPDX-License-Identifier: MIT
// Instead of metrics_child.cc in the small build, whose --metrics is refused by parse_options().
#include "collector-proc/metrics_child.h"

namespace physmem::collect {

Result<std::unique_ptr<MetricsChild>> MetricsChild::start(const std::string& /*file*/) {
  return Error{Error::Kind::kUsage, "--metrics: not in this small build"};
}

Result<Exit> MetricsChild::end(const Result<Exit>& own) const {
  return own;
}

}  // namespace physmem::collect
