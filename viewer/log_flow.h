// SPDX-License-Identifier: MIT
// The log of one page: first the last lines, then new lines at a readable rate, and earlier lines
// on request.
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
  void request(const WantLog& want);
  void request(const WantLogBefore& want) { before_ = want; }
  /// The next message contains the whole log again.
  void invalidate() { is_whole_ = true; }

  /// Lines of events before `end`. Empty if no lines are due.
  std::optional<Message> next(const EventHistory& events, std::uint64_t end, const NameTable& names,
                              View::Time now);
  /// Answers WantLogBefore, once.
  std::optional<Message> earlier(const EventHistory& events, std::uint64_t end,
                                 const NameTable& names);
  /// Number of lines skipped since the last restart of the log.
  std::uint64_t skipped() const { return skipped_; }

 private:
  struct Lines {
    std::vector<const PackedEvent*> lines;
    std::uint64_t more = 0;  ///< number of lines left out before them
  };

  bool is_wanted(const PackedEvent& event) const;
  Lines last_lines(const EventHistory& events, std::uint64_t begin, std::uint64_t end,
                   std::size_t limit, bool counts_more) const;
  void fill(View::Time now);

  WantLog want_;
  bool is_whole_ = true;
  std::optional<WantLogBefore> before_;  ///< the last request
  std::uint64_t next_ = 0;               ///< the next event to examine
  std::uint64_t skipped_ = 0;
  double tokens_ = 0;  ///< token bucket for lines
  View::Time filled_{};
};

}  // namespace physmem::view
