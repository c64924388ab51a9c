// SPDX-License-Identifier: MIT
// Records of the BPF program in paging/bpf, for kernels with BTF that do not load the module.
#pragma once

#include <memory>

#include "paging/source/record_source.h"

namespace physmem {

struct BpfOptions {
  unsigned ring_bytes = 1 << 24;    ///< a power of two; a record takes 96
  std::uint32_t excluded_tgid = 0;  ///< the process whose faults are not recorded: the reader
};

/// An error names the missing kernel feature or privilege.
Result<std::unique_ptr<RecordSource>> open_bpf_records(const BpfOptions& options);

}  // namespace physmem
