// SPDX-License-Identifier: MIT
// Raw kernel records, for a program that must not allocate while memory is short.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "paging/model/paging_event.h"
#include "program/result.h"

namespace physmem {

class RecordSource {
 public:
  virtual ~RecordSource() = default;

  struct Taken {
    std::size_t count = 0;
    bool has_ended = false;  ///< no records will follow
  };
  /// Takes the available records, in any order and of any kind, including PM_PAGING_LOST. Does not
  /// block or allocate.
  virtual Result<Taken> take(std::span<pm_paging_record> into) = 0;

  /// Readable when records may be available; -1: poll again after a few ms.
  virtual int descriptor() const = 0;

  /// What it cannot observe on this machine, for display. Empty if unknown or nothing.
  virtual std::string shortcomings() const { return {}; }

  /// The origin of the records: kmod, bpf.
  virtual const char* name() const = 0;

  /// The header of the traced machine if it is not this one: once, and after each change. Call this
  /// after take().
  virtual std::optional<TraceHeader> new_header() { return {}; }
};

}  // namespace physmem
