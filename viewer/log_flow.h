// SPDX-License-Identifier: MIT
// The log of one page: the last lines, then those that come, as many as can be read; and those
// before on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "viewer/command.h"
#include "viewer/message.h"
#include "viewer/view.h"

namespace physmem::view {

class LogFlow {
 public:
  void want(const WantLog& want);
  void want(const WantLogBefore& want) { before_ = want; }
  /// The next message begins anew.
  void invalidate() { is_whole_ = true; }

  /// Lines up to the event `end`, which is not among them. Nothing: none are due.
  std::optional<Message> next(const EventHistory& events, std::uint64_t end, const NameTable& names,
                              View::Time now);
  /// The answer to WantLogBefore, once.
  std::optional<Message> earlier(const EventHistory& events, std::uint64_t end,
                                 const NameTable& names);
  /// Lines that were not sent since the log began anew.
  std::uint64_t skipped() const { return skipped_; }

 private:
  struct Lines {
    std::vector<const PackedEvent*> lines;
    std::uint64_t more = 0;  ///< left out before them
  };

  bool is_wanted(const PackedEvent& event) const;
  Lines last_lines(const EventHistory& events, std::uint64_t begin, std::uint64_t end,
                   std::size_t most, bool counts_more) const;
  void fill(View::Time now);

  WantLog want_;
  bool is_whole_ = true;
  std::optional<WantLogBefore> before_;  ///< the last one
  std::uint64_t next_ = 0;               ///< event that was not looked at yet
  std::uint64_t skipped_ = 0;
  double tokens_ = 0;  ///< for lines: they fill up with time
  View::Time filled_{};
};

}  // namespace physmem::view
