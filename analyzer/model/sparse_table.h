// SPDX-License-Identifier: MIT
// A table indexed by page number. Only populated stretches take memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "program/deleter.h"

namespace physmem {

/// Cells of type Cell, zero until written, by frame number or by page number of an area.
///
/// Memory: Cell × kChunk for each populated stretch of kChunk pages. Frames are dense, so this is
/// one Cell per frame of RAM. The directory has two levels up to 2^20 chunks and is a map beyond.
/// So a crafted file with scattered page numbers costs at most kChunk cells and 16 KiB per entry.
template <class Cell, std::size_t kChunk>
class SparseTable {
 public:
  Cell& operator[](std::uint64_t page) {
    const std::uint64_t number = page / kChunk;
    if (number != cached_number_ || cached_ == nullptr) {
      cached_ = &chunk(number);
      cached_number_ = number;
    }
    return (*cached_)[page % kChunk];
  }

  /// Calls visit(cells) for the cells of `n` pages from `page` on, one stretch at a time, in order.
  template <class Visit>
  void for_each_stretch(std::uint64_t page, std::uint64_t n, Visit visit) {
    for (std::uint64_t here = 0; n != 0; page += here, n -= here) {
      here = std::min<std::uint64_t>(n, kChunk - page % kChunk);
      visit(std::span<Cell>(&(*this)[page], here));
    }
  }

  /// Prefetches the cell.
  void prefetch(std::uint64_t page) const {
    if (const Cell* const cell = find(page); cell != nullptr) __builtin_prefetch(cell);
  }

  /// nullptr if the chunk of the page is not populated.
  const Cell* find(std::uint64_t page) const {
    const Chunk* chunk = lookup(page / kChunk);
    return chunk == nullptr ? nullptr : &(*chunk)[page % kChunk];
  }

  /// Calls visit(first page of the chunk, cells) in order of page number.
  template <class Visit>
  void for_each_chunk(Visit visit) const {
    for (std::size_t number = 0; number < near_.size() * kBlock; ++number)
      if (const Chunk* const chunk = lookup(number); chunk != nullptr)
        visit(number * kChunk, *chunk);
    for (const auto& [number, chunk] : far_) visit(number * kChunk, std::as_const(*chunk));
  }
  /// The same with mutable cells, without page numbers.
  template <class Visit>
  void change_each_chunk(Visit visit) {
    for (auto& block : near_)
      for (std::size_t i = 0; block != nullptr && i < kBlock; ++i)
        if ((*block)[i] != nullptr) visit(*(*block)[i]);
    for (auto& [number, chunk] : far_) visit(*chunk);
  }

 private:
  using Chunk = std::array<Cell, kChunk>;
  static constexpr std::uint64_t kBlock = 1024;  ///< chunks
  static constexpr std::uint64_t kNear = kBlock * kBlock;
  using Block = std::array<std::unique_ptr<Chunk>, kBlock>;

  Chunk& chunk(std::uint64_t number) {
    std::unique_ptr<Chunk>& slot = number < kNear ? near_slot(number) : far_[number];
    if (!slot) slot = std::make_unique<Chunk>();
    return *slot;
  }

  std::unique_ptr<Chunk>& near_slot(std::uint64_t number) {
    if (number / kBlock >= near_.size()) near_.resize(number / kBlock + 1);
    std::unique_ptr<Block>& block = near_[number / kBlock];
    if (!block) block = std::make_unique<Block>();
    return (*block)[number % kBlock];
  }

  const Chunk* lookup(std::uint64_t number) const {
    if (number < kNear) {
      const Block* const block =
          number / kBlock < near_.size() ? near_[number / kBlock].get() : nullptr;
      return block != nullptr ? (*block)[number % kBlock].get() : nullptr;
    }
    const auto it = far_.find(number);
    return it == far_.end() ? nullptr : it->second.get();
  }

  std::vector<std::unique_ptr<Block>> near_;
  std::map<std::uint64_t, std::unique_ptr<Chunk>> far_;
  std::uint64_t cached_number_ = 0;
  Chunk* cached_ = nullptr;
};

/// A set of frames, one bit each. Frames that are not inserted cost nothing, however many are
/// expected. Frames beyond the expected ones take 512 bytes per stretch of 4096.
class FrameSet {
 public:
  /// The largest plain bitmap, independent of the sizes that a file states: 1 TiB of 4 KiB pages,
  /// 32 MiB of address space.
  static constexpr std::uint64_t kMaxExpected = std::uint64_t{1} << 28;

  /// Allocates a plain bitmap for frames below `frames`, if memory allows. Call it before the first
  /// insert().
  void expect(std::uint64_t frames) {
    words_ = std::min(frames, kMaxExpected) / 64 + 1;
    near_.reset(static_cast<std::uint64_t*>(std::calloc(words_, sizeof(std::uint64_t))));
    if (near_ == nullptr) words_ = 0;
  }
  /// Bytes of the plain bitmap.
  std::uint64_t expected_bytes() const { return words_ * sizeof(std::uint64_t); }

  /// Inserts `n` frames from `first` on. Returns how many of them were new.
  std::uint64_t insert(std::uint64_t first, std::uint64_t n = 1) {
    if (n <= 64 - first % 64 && first / 64 < words_)
      return insert_in(near_[first / 64], first % 64, n);
    return insert_far(first, n);
  }
  void erase(std::uint64_t first, std::uint64_t n) {
    for (std::uint64_t here = 0; n != 0; first += here, n -= here) {
      here = std::min<std::uint64_t>(n, 64 - first % 64);
      (first / 64 < words_ ? near_[first / 64] : far_[first / 64]) &=
          ~(~std::uint64_t{0} >> (64 - here) << first % 64);
    }
  }
  void prefetch(std::uint64_t frame) const {
    if (frame / 64 < words_) __builtin_prefetch(&near_[frame / 64]);
  }

 private:
  /// For runs that span several words or lie beyond the expected frames. These are few, so insert()
  /// stays small enough to be inlined into loops.
  [[gnu::noinline]] std::uint64_t insert_far(std::uint64_t first, std::uint64_t n) {
    std::uint64_t added = 0;
    for (std::uint64_t here = 0; n != 0; first += here, n -= here) {
      here = std::min<std::uint64_t>(n, 64 - first % 64);
      added +=
          insert_in(first / 64 < words_ ? near_[first / 64] : far_[first / 64], first % 64, here);
    }
    return added;
  }

  /// Inserts 1 to 64 bits of the word, from `first` on. Branch-free, because whether a page is new
  /// is unpredictable.
  static std::uint64_t insert_in(std::uint64_t& word, std::uint64_t first, std::uint64_t n) {
    const std::uint64_t bits = ~std::uint64_t{0} >> (64 - n) << first;
    const std::uint64_t fresh = bits & ~word;
    word |= bits;
    return count_bits(fresh);
  }

  /// std::popcount() is a function call if the target is baseline x86-64.
  static std::uint64_t count_bits(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
    return word * 0x0101010101010101u >> 56;
  }

  /// From calloc(), because the kernel allocates its zeroed pages only when they are touched.
  std::unique_ptr<std::uint64_t[], Deleter<std::free>> near_;
  std::uint64_t words_ = 0;
  SparseTable<std::uint64_t, 64> far_;  // 4096 frames per chunk
};

}  // namespace physmem
