// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collector-proc/kernel/kernel_source.h"
#include "collector-proc/kernel/kernel_types.h"
#include "collector-proc/proc_tree.h"
#include "collector-proc/ram/physical_map.h"
#include "program/deleter.h"

extern "C" {
#include "kernel-image/bpf_copy.h"
}

namespace physmem::collect {

using BpfCopy = std::unique_ptr<pm_bpf_copy, Deleter<pm_bpf_copy_close>>;

/// The program that copies the kernel's memory, or what forbids it here.
Result<BpfCopy> open_bpf_copy(const ProcTree& tree, int sys);

/// The kernel's memory by a BPF program, where there is no /proc/kcore. It needs CAP_BPF,
/// CAP_PERFMON and, for frame numbers, CAP_SYS_ADMIN. Addresses are found without symbols of
/// variables, and are checked before use.
///
/// `map`: System RAM. Nothing else is read: struct pages of these frames, the direct map of frames
/// that the kernel itself uses, the kernel's image, its modules. The contents of free frames, of
/// processes and of files are never read.
///
/// `with_functions`: also the addresses and names of functions, by /proc/kallsyms, which owners of
/// the kernel's own frames need. Reading it takes as long as reading the processes of a small
/// machine.
Result<std::unique_ptr<KernelSource>> open_bpf_kernel(BpfCopy copy, const ProcTree& tree, int sys,
                                                      const KernelTypes& types,
                                                      const std::vector<FrameSpan>& map,
                                                      std::uint64_t page_size,
                                                      std::uint64_t swap_devices,
                                                      bool with_functions);

}  // namespace physmem::collect
