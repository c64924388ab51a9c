// SPDX-License-Identifier: MIT
#include "tools/watch/sampler.h"

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/snapshot_reader.h"

namespace physmem::watch {

Status Sampler::sample(Events& events) {
  text_.clear();
  const auto losses = collector_.snapshot(collector_.machine(), text_, silent_);
  if (!losses) return losses.error();
  const auto source = text_source(text_.text());
  SnapshotReader reader(*source, "sample", {});
  const auto found = reader.next(events);
  if (!found) return bad_input(found.error().text);
  return {};
}

}  // namespace physmem::watch
