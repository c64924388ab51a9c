// SPDX-License-Identifier: MIT
#include "program/failure.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace physmem {
namespace {

/// Room for `end`, which composes messages and names of files.
constexpr std::size_t kReserve = std::size_t{256} << 10;

const OnFailure* innermost = nullptr;
void* reserve = nullptr;

void print(const char* text) {
  [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace

OnFailure::OnFailure(End end) : end_(std::move(end)), outer_(innermost) {
  if (outer_ == nullptr) reserve = std::malloc(kReserve);
  innermost = this;
}

OnFailure::~OnFailure() {
  innermost = outer_;
  if (outer_ == nullptr) std::free(std::exchange(reserve, nullptr));
}

void fail(const char* why) {
  std::free(std::exchange(reserve, nullptr));
  if (const OnFailure* const on_failure = std::exchange(innermost, nullptr))
    std::_Exit(static_cast<int>(on_failure->end_(cannot_go_on(why))));
  print(program_invocation_short_name);
  print(": cannot go on: ");
  print(why);
  print("\n");
  std::_Exit(static_cast<int>(Exit::kIo));
}

}  // namespace physmem
