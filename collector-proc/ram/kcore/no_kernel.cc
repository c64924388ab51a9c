// SPDX-License-Identifier: MIT
// Instead of running_kernel.cc in the small build, which does not read /proc/kcore.
#include "collector-proc/ram/kcore/running_kernel.h"

namespace physmem::collect {

class RunningKernel::Image {};

Result<std::unique_ptr<RunningKernel>> RunningKernel::open(const ProcTree& /*tree*/, int /*sys*/,
                                                           std::uint64_t /*page_size*/) {
  return Error{Error::Kind::kUsage, "--ram=kcore: not in this small build"};
}

RunningKernel::~RunningKernel() = default;

Status RunningKernel::read_lists() {
  return {};
}

Status RunningKernel::write_ram(const std::vector<FrameSpan>& /*map*/, std::uint64_t /*owners*/,
                                pm_out& /*out*/, const std::function<Status()>& /*go_on*/) {
  return {};
}

}  // namespace physmem::collect
