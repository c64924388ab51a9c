// SPDX-License-Identifier: MIT
#include "viewer/metrics_feed.h"

namespace physmem::view {

void MetricsFeed::add(std::string_view bytes) {
  constexpr std::string_view kEnd = "\n# EOF\n";
  const std::size_t looked_at = next_.size() < kEnd.size() ? 0 : next_.size() - kEnd.size();
  next_ += bytes;
  for (std::size_t end = next_.find(kEnd, looked_at); end != std::string::npos;
       end = next_.find(kEnd)) {
    text_.assign(next_, 0, end + kEnd.size());
    next_.erase(0, text_.size());
  }
}

}  // namespace physmem::view
