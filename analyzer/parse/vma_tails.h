// SPDX-License-Identifier: MIT
// Cache of the parsed texts that follow the numbers of V: lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/model/vma.h"

namespace physmem {

/// All processes that map the same part of a file have the same text for unit, offset, device and
/// inode, mostly after the same area. The cache holds at most kSlots such tails, and which tail
/// followed which. A new tail replaces the one with the same hash.
class VmaTails {
 public:
  static constexpr std::size_t kSlots = 1024;

  /// An area with only the members of the tail set; nullptr if the tail is not cached.
  const Vma* find(std::string_view written) {
    if (written.empty()) return nullptr;
    std::size_t i = slots_[last_].next;
    if (slots_[i].written != written) i = places_[place(written)];
    if (slots_[i].written != written) return nullptr;
    go_to(i);
    return &slots_[i].vma;
  }
  /// Adds a tail that find() did not find.
  void put(std::string_view written, const Vma& vma) {
    std::uint16_t& i = places_[place(written)];
    if (i == kNone) {
      i = static_cast<std::uint16_t>(slots_.size());
      slots_.emplace_back();
    }
    slots_[i].written = written;
    slots_[i].vma = vma;
    go_to(i);
  }

 private:
  struct Slot {
    std::string written;
    Vma vma;
    std::size_t next = kNone;  ///< the tail that came after this one
  };
  /// The first slot, whose tail is empty: it is never found.
  static constexpr std::uint16_t kNone = 0;

  static std::size_t place(std::string_view written) {
    return std::hash<std::string_view>{}(written) % kSlots;
  }
  void go_to(std::size_t slot) {
    slots_[last_].next = slot;
    last_ = slot;
  }

  std::vector<Slot> slots_{1};  // grows with put(); a small input has few
  std::vector<std::uint16_t> places_ = std::vector<std::uint16_t>(kSlots, kNone);  // slots, by hash
  std::size_t last_ = kNone;  // found or put last
};

}  // namespace physmem
