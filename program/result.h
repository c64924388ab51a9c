// SPDX-License-Identifier: MIT
// Bad input is a value, a bug is an assertion: every function that can fail on what it is given
// returns one of these.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace physmem {

struct Error {
  enum class Kind {
    kUsage,     ///< the command line asks for something impossible
    kBadInput,  ///< a snapshot breaks its grammar, contradicts itself, or is cut short
    kIo,        ///< the system refused to open, read or write
  };
  Kind kind = Kind::kBadInput;
  std::string text;  ///< where, what was found, what was expected
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return std::get<0>(content_); }
  const T& operator*() const { return std::get<0>(content_); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

/// Success, or why not.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  explicit operator bool() const { return !error_; }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace physmem
