// SPDX-License-Identifier: MIT
// What V: lines say behind their numbers, parsed once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/vma.h"

namespace physmem {

/// Unit, offset, device and inode of an area stand in the same words in each process that maps the same part of the
/// same file, mostly behind the same area. Remembers at most kSlots such tails, and which came behind which; a new one drives out the one
/// in its place.
class VmaTails {
 public:
  static constexpr std::size_t kSlots = 1024;

  /// An area of which only what the tail says is filled in; nullptr when the tail is not known.
  const Vma* find(std::string_view written) {
    if (written.empty()) return nullptr;
    std::size_t i = slots_[last_].next;
    if (slots_[i].written != written) i = place(written);
    slots_[last_].next = i;
    last_ = i;
    return slots_[i].written == written ? &slots_[i].vma : nullptr;
  }
  void put(std::string_view written, const Vma& vma) {
    Slot& slot = slots_[place(written)];
    slot.written = written;
    slot.vma = vma;
  }

 private:
  struct Slot {
    std::string written;
    Vma vma;
    std::size_t next = 0;  ///< place of the tail that came behind this one
  };

  static std::size_t place(std::string_view written) {
    return std::hash<std::string_view>{}(written) % kSlots;
  }

  std::vector<Slot> slots_{kSlots};
  std::size_t last_ = 0;  ///< place of what find() was asked for
};

}  // namespace physmem
