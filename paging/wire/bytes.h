// SPDX-License-Identifier: MIT
// Reads and writes little-endian numbers and short strings in a buffer of fixed size.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace physmem::wire {

/// The caller must check room().
class Writer {
 public:
  explicit Writer(std::span<std::uint8_t> into) : into_(into) {}

  template <std::unsigned_integral T>
  void put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      into_[used_++] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  void put(std::string_view text) {
    std::memcpy(into_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }

  std::size_t used() const { return used_; }
  std::size_t room() const { return into_.size() - used_; }

 private:
  std::span<std::uint8_t> into_;
  std::size_t used_ = 0;
};

/// Reads beyond the end return zero or empty values and set is_short().
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> from) : from_(from) {}

  template <std::unsigned_integral T>
  T get() {
    if (left() < sizeof(T)) return static_cast<T>(cut());
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{from_[at_++]} << (8 * i);
    return static_cast<T>(value);
  }
  std::string_view text(std::size_t length) {
    if (left() < length) {
      cut();
      return {};
    }
    const char* const begin = reinterpret_cast<const char*>(from_.data() + at_);
    at_ += length;
    return {begin, length};
  }

  std::size_t position() const { return at_; }
  std::size_t left() const { return from_.size() - at_; }
  bool is_short() const { return is_short_; }

 private:
  unsigned cut() {
    is_short_ = true;
    at_ = from_.size();
    return 0;
  }

  std::span<const std::uint8_t> from_;
  std::size_t at_ = 0;
  bool is_short_ = false;
};

}  // namespace physmem::wire
