// SPDX-License-Identifier: MIT
// Frames whose numbers and contents this program knows: from them the kernel's memory is found.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collector-proc/proc_tree.h"
#include "program/unique_fd.h"

namespace physmem::collect {

/// A frame of this program, which no other program has.
class OwnFrame {
 public:
  explicit OwnFrame(std::size_t page_size);
  OwnFrame(const OwnFrame&) = delete;
  OwnFrame& operator=(const OwnFrame&) = delete;
  ~OwnFrame();

  /// The file without a name whose only page it is.
  const UniqueFd& file() const { return file_; }
  /// 0: the kernel hides it.
  std::uint64_t pfn() const;

 private:
  UniqueFd file_;
  std::size_t page_size_;
  volatile char* at_ = nullptr;
};

/// The zero page, which is mapped wherever a process only reads; 0: not known. Guests of PVM map an
/// ordinary frame instead.
std::uint64_t zero_frame(const ProcTree& tree, std::size_t page_size);
/// The first frame of the huge zero page; 0: there is none, or it is not known. Of kernels with
/// pages of 4 KiB.
std::uint64_t huge_zero_frame(const ProcTree& tree);

}  // namespace physmem::collect
