// SPDX-License-Identifier: MIT
#include "program/command_line.h"

#include "program/refused_option.h"

#ifndef PHYSMEM_VERSION
#define PHYSMEM_VERSION "unknown"
#endif

namespace physmem {
namespace {}  // namespace

std::optional<double> speed_of(std::string_view text) {
  if (text == "max") return 0;
  const std::optional<double> speed = number_of<double>(text);
  return speed && *speed > 0 && *speed <= kMaxSpeed ? speed : std::nullopt;
}

Error CommandLine::usage(const std::string& text) const {
  return {Error::Kind::kUsage, text + " (" + program_.name + " --help lists all options)"};
}

Result<CommandLine::Words> CommandLine::parse(
    int argc, char* argv[],
    const std::function<Status(int option, const char* value)>& apply) const {
  const std::string shorts = std::string(":") + program_.shorts;
  opterr = 0;
  optind = 0;  // start anew: tests parse more than once
  for (;;) {
    const int option = ::getopt_long(argc, argv, shorts.c_str(), program_.longs, nullptr);
    if (option < 0) return Words{{}, {argv + optind, argv + argc}};
    if (option == '?') return usage("unknown option " + refused_option(argv));
    if (option == ':') return usage("option " + refused_option(argv) + " requires a value");
    if (option == 'h') return Words{program_.help, {}};
    if (option == kVersion)
      return Words{
          std::string(program_.name) + " " PHYSMEM_VERSION "\nMIT licence. There is no warranty.\n",
          {}};
    if (Status status = apply(option, optarg); !status) return status.error();
  }
}

Result<std::string> CommandLine::parse_options(
    int argc, char* argv[], const std::function<Status(int option, const char* value)>& apply,
    const char* expected) const {
  Result<Words> words = parse(argc, argv, apply);
  if (!words) return words.error();
  if (!words->operands.empty())
    return usage("found \"" + words->operands.front() + "\", expected " + expected);
  return std::move(words->text_instead);
}

}  // namespace physmem
