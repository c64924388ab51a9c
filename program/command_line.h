// SPDX-License-Identifier: MIT
#pragma once

#include <getopt.h>

#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/result.h"

namespace physmem {

/// The words of a program's command line, by getopt_long(). Every error is of kind kUsage and ends
/// with how to get help.
class CommandLine {
 public:
  static constexpr int kVersion = 255;  ///< the value of --version in `longs`; of --help it is 'h'

  /// All four must live as long as this. `shorts` is without the ":" at its beginning; `longs` ends
  /// with zeros.
  struct Program {
    const char* name;
    const char* help;
    const char* shorts;
    const option* longs;
  };
  explicit CommandLine(const Program& program) : program_(program) {}

  Error usage(const std::string& text) const;

  struct Words {
    std::string text_instead;  ///< help or version, where one of them was asked for: what stands
                               ///< behind it was not read
    std::vector<std::string> operands;  ///< what is no option
  };
  /// Calls `apply` with each option but those two, in their order, until it finds fault with one.
  Result<Words> parse(int argc, char* argv[],
                      const std::function<Status(int option, const char* value)>& apply) const;
  /// The same for a program that has options only: the text instead, where one was asked for.
  /// `expected` is said of other words.
  Result<std::string> parse_options(
      int argc, char* argv[], const std::function<Status(int option, const char* value)>& apply,
      const char* expected = "options only") const;

 private:
  Program program_;
};

/// All of `text` as a number, decimal whatever the locale says.
template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

/// How fast a trace is played, times its own times; 0, also said "max": as fast as it goes.
/// Nothing: it is no kSpeedWanted.
inline constexpr double kMaxSpeed = 1e6;
inline constexpr const char* kSpeedWanted = "a number above 0, at most 1000000, or max";
std::optional<double> speed_of(std::string_view text);

}  // namespace physmem
