// SPDX-License-Identifier: MIT
// How far the reading is, for a person who waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "analyzer/parse/byte_source.h"

namespace physmem {

/// Passes bytes through, and once in a while says on `messages` how many; only when standard error is a
/// terminal, and not within the first second.
class Progress : public ByteSource {
 public:
  Progress(ByteSource& inner, const std::string& name, std::ostream& messages);
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  Result<std::size_t> read(char* to, std::size_t size) override;
  void interrupt() override { inner_.interrupt(); }
  std::string_view text() const override { return inner_.text(); }
  void let_go(std::uint64_t offset) override;
  Status state() const override { return inner_.state(); }

 private:
  using Clock = std::chrono::steady_clock;

  void count(std::uint64_t bytes);
  void show(Clock::time_point now);

  ByteSource& inner_;
  std::string name_;
  std::ostream& messages_;
  bool is_wanted_;
  Clock::time_point begin_;
  Clock::time_point next_;
  std::uint64_t bytes_ = 0;
  bool was_shown_ = false;
};

}  // namespace physmem
