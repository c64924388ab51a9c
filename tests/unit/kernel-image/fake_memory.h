// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tests/unit/kernel-image/walkers.h"

namespace physmem::crash {

constexpr std::uint64_t kPage = 4096;

/// Physical memory, which is mapped at kDirectMap, and the struct pages at kStructPages. A block is
/// created at its first access, filled with zeros.
class FakeMemory {
 public:
  static constexpr std::uint64_t kDirectMap = 0xFFFF888000000000;
  static constexpr std::uint64_t kStructPages = 0xFFFFEA0000000000;
  static constexpr std::uint64_t kBytes = std::uint64_t{4} << 30;

  /// An allocation and its purpose. Tests put faults into pieces.
  struct Piece {
    std::string what;
    std::uint64_t at;
    std::size_t bytes;
  };

  static std::uint64_t physical(std::uint64_t kernel_address) {
    return kernel_address - kDirectMap;
  }

  /// Returns a kernel address, which is never allocated again.
  std::uint64_t allocate(std::string_view what, std::size_t bytes, std::uint64_t alignment = 64);
  const std::vector<Piece>& pieces() const { return pieces_; }

  void write(std::uint64_t at, const void* bytes, std::size_t n);
  void put(std::uint64_t at, std::size_t n, std::uint64_t value) { write(at, &value, n); }
  std::uint64_t get(std::uint64_t at, std::size_t n);
  void put_text(std::uint64_t at, std::string_view text) { write(at, text.data(), text.size()); }
  std::uint64_t text(std::string_view what, std::string_view text);

  /// Removes the block of 4096 bytes that contains the address from the dump.
  void lose(std::uint64_t at) { lost_.insert(at / kPage); }
  void restore_lost() { lost_.clear(); }

  bool read(pm_space space, std::uint64_t at, void* to, std::size_t n);
  std::uint64_t reads() const { return reads_; }
  /// Blocks of struct pages among them, each once.
  std::uint64_t page_blocks() const { return page_blocks_.size(); }
  void reset_reads() {
    reads_ = 0;
    page_blocks_.clear();
  }

  /// Called before each read: a running kernel changes its memory.
  std::function<void()> before_read = [] {};
  /// Fills a block at its first access.
  std::function<void(std::uint64_t at, std::uint8_t* block)> fill = [](std::uint64_t,
                                                                       std::uint8_t*) {};

 private:
  using Block = std::array<std::uint8_t, kPage>;
  Block& block(std::uint64_t at);
  static bool exists(std::uint64_t at);

  std::unordered_map<std::uint64_t, Block> blocks_;
  std::set<std::uint64_t> lost_;
  std::vector<Piece> pieces_;
  std::uint64_t next_ = kDirectMap + (1 << 20);
  std::uint64_t reads_ = 0;
  std::unordered_set<std::uint64_t> page_blocks_;
};

}  // namespace physmem::crash
