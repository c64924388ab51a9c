// SPDX-License-Identifier: MIT
#include "analyzer/cli/trace_question.h"

#include "analyzer/shape/series_notes.h"
#include "analyzer/shape/view.h"

namespace physmem {

void TraceQuestion::answer(Printer& /*printer*/, const View& /*view*/) {
  trace_.end();
}

std::vector<std::string> TraceQuestion::missing() const {
  std::vector<std::string> missing =
      series_notes(sampler_.order(), "so left out of the trace if it is not later");
  if (sampler_.without_time() != 0)
    missing.push_back(counted(sampler_.without_time(), "snapshot") +
                      " left out of the trace: found no time since boot (format version 1)");
  return missing;
}

}  // namespace physmem
