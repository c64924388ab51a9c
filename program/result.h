// SPDX-License-Identifier: MIT
// Errors as values. Every function that can fail because of its input returns a Result or a Status.
// Bugs are assertions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace physmem {

struct Error {
  enum class Kind {
    kUsage,     ///< the command line asks for something impossible
    kBadInput,  ///< a snapshot breaks its grammar, contradicts itself, or is cut short
    kTooLarge,  ///< numbers of the input are each allowed, but a sum of them is too large
    kIo,        ///< the system refused to open, read or write
  };
  Kind kind = Kind::kBadInput;
  std::string text;  ///< where it is, what was found, what was expected
  /// Its place in the decoded text, from 1; 0: it has none. `text` has it too.
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  /// The input is something else than a snapshot.
  bool is_foreign = false;
  /// errno, if the system gave one for a file of snapshots (open_source()); otherwise 0.
  int error_number = 0;
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

/// Success or an error.
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
