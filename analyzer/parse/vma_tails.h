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
/// same file. Remembers at most kSlots such tails; a new one drives out the one in its place.
class VmaTails {
 public:
  static constexpr std::size_t kSlots = 1024;

  /// An area of which only what the tail says is filled in; nullptr when the tail is not known.
  const Vma* find(std::string_view written) const {
    const Slot& slot = slots_[place(written)];
    return !written.empty() && slot.written == written ? &slot.vma : nullptr;
  }
  void put(std::string_view written, const Vma& vma) { slots_[place(written)] = {std::string(written), vma}; }

 private:
  struct Slot {
    std::string written;
    Vma vma;
  };

  static std::size_t place(std::string_view written) {
    return std::hash<std::string_view>{}(written) % kSlots;
  }

  std::vector<Slot> slots_{kSlots};
};

}  // namespace physmem
