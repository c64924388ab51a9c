// SPDX-License-Identifier: MIT
// Without the analyzer: physmem-trace records only.
#include "tracer/record/replay.h"
#include "tracer/record/snapshot_owners.h"

namespace physmem::record {
namespace {

Error not_here(const std::string& what) {
  return {Error::Kind::kUsage, what +
                                   ": this program was built without the analyzer (copy the trace "
                                   "to where it was built with it)"};
}

}  // namespace

Result<Replay> open_replay(const std::string& /*file*/, double /*speed*/, bool /*keep_going*/) {
  return not_here("--replay");
}

Status read_owners(const std::string& /*snapshot*/, FrameOwner& /*owners*/) {
  return not_here("--owners");
}

}  // namespace physmem::record
