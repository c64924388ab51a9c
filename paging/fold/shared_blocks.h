// SPDX-License-Identifier: MIT
// A copy-on-write table of blocks. Copies are cheap because they share unchanged blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace physmem {

/// Number of blocks in a table and all its copies.
struct BlockCount {
  std::size_t alive = 0;
};

/// Blocks by number, allocated on first access. For one thread only, because the check for sharing
/// takes no lock.
template <class Block>
class SharedBlocks {
 public:
  /// A table has at most `limit` blocks. touch() allocates none beyond it.
  SharedBlocks(std::shared_ptr<BlockCount> count, std::size_t limit)
      : count_(std::move(count)), limit_(limit) {}

  const Block* find(std::uint64_t number) const {
    const Pointer* pointer = lookup(number);
    return pointer == nullptr ? nullptr : &(*pointer)->block;
  }

  /// The block for modification. nullptr if it is missing and the limit is reached or !may_make.
  Block* touch(std::uint64_t number, bool may_make = true) {
    Pointer* pointer = const_cast<Pointer*>(lookup(number));
    if (pointer == nullptr) return may_make ? make(number) : nullptr;
    if (pointer->use_count() > 1) *pointer = std::make_shared<Counted>(count_, (*pointer)->block);
    return &(*pointer)->block;
  }

  std::size_t size() const { return size_; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t number = 0; number < near_.size(); ++number)
      if (near_[number]) visit(number, std::as_const(near_[number]->block));
    for (const auto& [number, counted] : far_) visit(number, std::as_const(counted->block));
  }

 private:
  struct Counted {
    Counted(std::shared_ptr<BlockCount> c, const Block& b) : block(b), count(std::move(c)) {
      ++count->alive;
    }
    ~Counted() { --count->alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

    Block block;
    std::shared_ptr<BlockCount> count;
  };

  using Pointer = std::shared_ptr<Counted>;
  /// Blocks below this number are in a plain array. That covers frames and slots up to 512 GiB of 4
  /// KiB pages.
  static constexpr std::uint64_t kNear = 65536;

  const Pointer* lookup(std::uint64_t number) const {
    if (number < near_.size()) return near_[number] ? &near_[number] : nullptr;
    if (number < kNear) return nullptr;
    const auto it = far_.find(number);
    return it == far_.end() ? nullptr : &it->second;
  }

  Block* make(std::uint64_t number) {
    if (size_ >= limit_) return nullptr;
    ++size_;
    if (number < kNear && number >= near_.size())
      near_.resize(
          std::min<std::uint64_t>(kNear, std::max<std::uint64_t>(number + 1, near_.size() * 2)));
    Pointer& pointer = number < kNear ? near_[number] : far_[number];
    pointer = std::make_shared<Counted>(count_, Block{});
    return &pointer->block;
  }

  std::shared_ptr<BlockCount> count_;
  std::size_t limit_;
  std::size_t size_ = 0;
  std::vector<Pointer> near_;
  std::unordered_map<std::uint64_t, Pointer> far_;
};

}  // namespace physmem
