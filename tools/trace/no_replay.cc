// SPDX-License-Identifier: MIT
// Built without the analyzer: physmem-trace only records.
#include "tools/trace/replay.h"
#include "tools/trace/snapshot_owners.h"

namespace physmem::record {
namespace {

Error not_here(const std::string& what) {
  return {Error::Kind::kUsage, what +
                                   ": this program was built without the analyzer (copy the trace "
                                   "to a machine with a full build)"};
}

}  // namespace

Result<Replay> open_replay(const std::string& /*file*/, double /*speed*/, bool /*keep_going*/) {
  return not_here("--replay");
}

Status read_owners(const std::string& /*snapshot*/, FrameOwner& /*owners*/) {
  return not_here("--owners");
}

}  // namespace physmem::record
