// SPDX-License-Identifier: MIT
// Instead of running_kernel.cc in the small build, which does not read kernel memory.
#include "collector-proc/ram/kernel/running_kernel.h"

namespace physmem::collect {

class RunningKernel::Image {};

Result<std::unique_ptr<RunningKernel>> RunningKernel::open(const ProcTree& /*tree*/, int /*sys*/,
                                                           std::uint64_t /*page_size*/, Way way,
                                                           const std::vector<FrameSpan>& /*map*/) {
  return Error{Error::Kind::kUsage, std::string(way == Way::kKcore ? "--ram=kcore" : "--ram=bpf") +
                                        ": not in this small build"};
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
