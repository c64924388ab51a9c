// SPDX-License-Identifier: MIT
// The last whole text of metrics in a stream of them.
#pragma once

#include <string>
#include <string_view>

namespace physmem::view {

class MetricsFeed {
 public:
  /// Adds bytes of the stream, in pieces of any size.
  void add(std::string_view bytes);
  /// Empty before the first text is whole. Ends with the line "# EOF".
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::string next_;
};

}  // namespace physmem::view
