// SPDX-License-Identifier: MIT
#include "paging/source/open_records.h"

namespace physmem {

Result<std::unique_ptr<RecordSource>> open_replay(const std::string& path, double) {
  return Error{Error::Kind::kIo,
               path + ": this program was built for a guest, without the trace reader"};
}

}  // namespace physmem
