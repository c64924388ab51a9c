// SPDX-License-Identifier: MIT
// Instead of running_kernel.cc in the small build, which does not read kernel memory.
#include "collector-proc/kernel/running_kernel.h"

namespace physmem::collect {

class RunningKernel::Image {};

Result<std::unique_ptr<RunningKernel>> RunningKernel::open(const ProcTree& /*tree*/, int /*sys*/,
                                                           std::uint64_t /*page_size*/, Source by,
                                                           const std::vector<FrameSpan>& /*map*/,
                                                           bool /*with_ram*/) {
  return Error{Error::Kind::kUsage, std::string(word_of(by)) + ": not in this small build"};
}

RunningKernel::~RunningKernel() = default;

bool RunningKernel::is_current(const ProcTree& /*tree*/,
                               const std::vector<FrameSpan>& /*map*/) const {
  return false;
}

Status RunningKernel::write_processes(const Scope& /*scope*/, const std::vector<Pid>& /*pids*/,
                                      pm_out& /*out*/, pm_end& /*totals*/,
                                      const Around& /*around*/) {
  return {};
}

std::uint64_t RunningKernel::phys_mask() const {
  return 0;
}

Status RunningKernel::read_lists() {
  return {};
}

Status RunningKernel::write_ram(const std::vector<FrameSpan>& /*map*/, std::uint64_t /*owners*/,
                                pm_out& /*out*/, const std::function<Status()>& /*go_on*/) {
  return {};
}

}  // namespace physmem::collect
