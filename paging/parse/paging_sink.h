// SPDX-License-Identifier: MIT
// Receives the contents of a trace from a trace reader or a live source.
#pragma once

#include "paging/model/paging_event.h"

namespace physmem {

/// on_header is called first. Events and losses follow by ascending sequence, as far as the source
/// knows it. on_header is called again when swap areas are added or removed.
class PagingSink {
 public:
  virtual ~PagingSink() = default;
  virtual void on_header(const TraceHeader& header) = 0;
  virtual void on_event(const PagingEvent& event) = 0;
  virtual void on_lost(const LostEvents& lost) = 0;
};

}  // namespace physmem
