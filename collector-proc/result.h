// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace physmem::collect {

/// Exit statuses, the same for every command of the project.
enum class ExitStatus {
  kDone = 0,
  kUsage = 2,
  kBadInput = 3,
  kIo = 4,
  kIncomplete = 5,  // done, but data was missing
};

/// The reason of a failure, as a sentence for the user. Empty if no message is printed (the reader
/// closed the pipe, a signal).
struct Error {
  ExitStatus status = ExitStatus::kIo;
  std::string text;
};

/// A value, or the error if there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const { return std::holds_alternative<T>(state_); }
  T& operator*() { return std::get<T>(state_); }
  const T& operator*() const { return std::get<T>(state_); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  const Error& error() const { return std::get<Error>(state_); }

 private:
  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

/// "cannot WHAT: REASON", with the system's text for the error number and, if given, advice.
Error io_error(const std::string& what, int error_number, const std::string& advice = {});
Error bad_input(const std::string& what);

/// The beginning of a text in quotation marks, for messages.
std::string quoted(std::string_view text);

}  // namespace physmem::collect
