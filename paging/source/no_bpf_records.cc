// SPDX-License-Identifier: MIT
#include "paging/source/bpf_records.h"

namespace physmem {

Result<std::unique_ptr<RecordSource>> open_bpf_records(const BpfOptions&) {
  return Error{Error::Kind::kIo,
               "BPF: this program was built without it (requires clang and libbpf, on x86-64)"};
}

}  // namespace physmem
