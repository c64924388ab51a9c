// SPDX-License-Identifier: MIT
// Without the analyzer: physmem-trace records, and writes traces.
#include "tracer/record/exports.h"

namespace physmem::record {
namespace {

Error not_here(const std::string& what) {
  return {
      Error::Kind::kUsage,
      what + ": this program was built without the analyzer (copy the trace to where it was built with it)"};
}

}  // namespace

bool has_exports() {
  return false;
}

std::unique_ptr<TraceWriter> make_export(Form /*form*/, std::ostream& /*out*/,
                                         const CsvStyle& /*csv*/) {
  return nullptr;
}

Result<Replay> open_replay(const std::string& /*file*/, double /*speed*/, bool /*keep_going*/) {
  return not_here("--replay");
}

Status read_owners(const std::string& /*snapshot*/, FrameOwner& /*owners*/) {
  return not_here("--owners");
}

}  // namespace physmem::record
