// SPDX-License-Identifier: MIT
// A list of a few items in the object itself. A store loads millions of facts, and allocating the
// lists of each took a tenth of the time.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace physmem::fleet {

template <class T, std::size_t kMax>
class ShortList {
 public:
  ShortList() = default;
  ShortList(std::initializer_list<T> items) : size_(items.size()) {
    assert(size_ <= kMax);
    std::copy(items.begin(), items.end(), items_.begin());
  }

  /// At most kMax.
  void resize(std::size_t size) {
    assert(size <= kMax);
    size_ = size;
  }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  T* begin() { return items_.data(); }
  T* end() { return items_.data() + size_; }
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }

  bool operator==(const ShortList& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }
  bool operator<(const ShortList& other) const {
    return std::lexicographical_compare(begin(), end(), other.begin(), other.end());
  }

 private:
  std::array<T, kMax> items_{};
  std::size_t size_ = 0;
};

}  // namespace physmem::fleet
