// SPDX-License-Identifier: MIT
// Records of a BPF program of our own (tracer/bpf): for kernels that take no module, and know their
// types (BTF).
#pragma once

#include <memory>

#include "tracer/source/record_source.h"

namespace physmem {

struct BpfOptions {
  unsigned ring_bytes = 1 << 24;    ///< a power of two; a record takes 96
  std::uint32_t excluded_tgid = 0;  ///< whose faults are nobody's business: the reader's
};

/// An error says what the kernel lacks, or which right.
Result<std::unique_ptr<RecordSource>> open_bpf_records(const BpfOptions& options);

}  // namespace physmem
