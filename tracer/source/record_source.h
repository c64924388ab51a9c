// SPDX-License-Identifier: MIT
// Records as the kernel side writes them: for a program that must not ask for memory while memory
// is short.
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
    bool has_ended = false;  ///< nothing will follow
  };
  /// What there is now, in any order and of any kind, PM_PAGING_LOST among them. Does not wait, and
  /// allocates nothing.
  virtual Result<Taken> take(std::span<pm_paging_record> into) = 0;

  /// Readable when there may be something; -1: look again after a few ms.
  virtual int descriptor() const = 0;

  /// What it cannot see on this machine, for whoever reads its events; empty: nothing that it says
  /// of itself.
  virtual std::string shortcomings() const { return {}; }

  /// Who makes the records: kmod, bpf.
  virtual const char* name() const = 0;

  /// The machine they are of, when that is another than this one: once, and whenever it changes. To
  /// be asked behind take().
  virtual std::optional<TraceHeader> new_header() { return {}; }
};

}  // namespace physmem
