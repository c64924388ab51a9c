// SPDX-License-Identifier: MIT
// Failures that no function returns: out of memory, and other exceptions of the standard library.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "program/exit.h"
#include "program/result.h"

namespace physmem {

inline Error cannot_go_on(const std::string& why) {
  return {Error::Kind::kIo, "cannot go on: " + why};
}

/// Returns the Result or Status of `work`. An exception becomes an error. In a program without
/// exceptions (PHYSMEM_SMALL) such a failure does not return: see OnFailure.
template <class Work>
auto catch_exceptions(const Work& work) -> decltype(work()) {
#ifdef __cpp_exceptions
  try {
    return work();
  } catch (const std::exception& error) {
    return cannot_go_on(error.what());
  }
#else
  return work();
#endif
}

/// Ends a program without exceptions where another one would throw; why: the text of the exception.
/// Calls the `end` of the innermost OnFailure. If that fails too, or if there is none, prints the
/// error and exits with status 4.
[[noreturn]] void fail(const char* why);

/// While it exists, fail() calls `end` with the error and exits with the status that it returns.
/// `end` must leave the output whole, and must not use what the failed work may have left half
/// done. For one thread.
class OnFailure {
 public:
  using End = std::function<Exit(const Error&)>;

  explicit OnFailure(End end);
  ~OnFailure();
  OnFailure(const OnFailure&) = delete;
  OnFailure& operator=(const OnFailure&) = delete;

 private:
  friend void fail(const char* why);

  End end_;
  const OnFailure* outer_;
};

}  // namespace physmem
