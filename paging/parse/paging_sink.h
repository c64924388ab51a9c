// SPDX-License-Identifier: MIT
// What a trace is made of, as whoever reads one or traces now hands it on.
#pragma once

#include "paging/model/paging_event.h"

namespace physmem {

/// Order: on_header once, then events and losses by ascending sequence as far as the source can
/// tell. A header may come again when swap areas are added or taken away.
class PagingSink {
 public:
  virtual ~PagingSink() = default;
  virtual void on_header(const TraceHeader& header) = 0;
  virtual void on_event(const PagingEvent& event) = 0;
  virtual void on_lost(const LostEvents& lost) = 0;
};

}  // namespace physmem
