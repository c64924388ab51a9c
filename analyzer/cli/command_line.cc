// SPDX-License-Identifier: MIT
#include "analyzer/cli/command_line.h"

#include <algorithm>
#include <string_view>

namespace physmem {
namespace {

namespace po = boost::program_options;

/// Boost 1.74 replaces placeholders such as %value% in its messages until none is left. If an
/// argument contains one, this never ends.
bool may_hold_placeholder(int argc, const char* const argv[]) {
  return std::any_of(argv, argv + argc,
                     [](std::string_view a) { return a.find('%') != a.rfind('%'); });
}

}  // namespace

Result<po::variables_map> parse_command_line(int argc, const char* const argv[],
                                             const po::options_description& all,
                                             const po::positional_options_description& positions) {
  po::variables_map map;
  try {
    using Style = po::command_line_style::style_t;
    po::store(po::command_line_parser(argc, argv)
                  .options(all)
                  .positional(positions)
                  .style(Style::unix_style & ~Style::allow_guessing)
                  .run(),
              map);
  } catch (const po::unknown_option& error) {
    return Error{Error::Kind::kUsage, "unknown option " + error.get_option_name()};
  } catch (const po::error& error) {
    const bool is_safe = !may_hold_placeholder(argc, argv);
    return Error{
        Error::Kind::kUsage,
        is_safe ? error.what() : "an option lacks its value, or has one that it does not take"};
  }
  return map;
}

}  // namespace physmem
