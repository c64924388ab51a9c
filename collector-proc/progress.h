// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace physmem::collect {

/// One line on standard error that says how far we are; wiped away at the end. Silent unless standard error
/// is a terminal and the snapshot does not go to it.
class Progress {
 public:
  explicit Progress(bool is_wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void at(std::size_t process, std::size_t processes);

 private:
  bool is_on_;
  std::uint64_t next_ns_ = 0;
};

}  // namespace physmem::collect
