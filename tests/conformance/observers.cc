// SPDX-License-Identifier: MIT
#include "tests/conformance/observers.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace physmem::conformance {
namespace {

// The observers are a shell and the two ends of a pipe. Each maps a page once, or twice for a
// moment while it forks.
constexpr std::uint64_t kMaxMappings = 6;

bool is_machine_of_others() {
  std::ifstream maps("/proc/self/maps");
  return std::string{std::istreambuf_iterator<char>(maps), {}}.find(".so") != std::string::npos;
}

const bool kIsMachineOfOthers = is_machine_of_others();

std::string shell() {
  std::error_code ignored;
  return std::filesystem::canonical("/bin/sh", ignored).string();
}

}  // namespace

bool is_of_observers(const std::string& unit) {
  static const std::set<std::string> kUnits{"[vdso]", "[vvar]", "[vvar_vclock]", shell()};
  return kUnits.contains(unit) || (kIsMachineOfOthers && unit.starts_with("/usr/"));
}

bool may_be_observers(std::uint64_t a, std::uint64_t b) {
  return kIsMachineOfOthers || (a > b ? a - b : b - a) <= kMaxMappings;
}

}  // namespace physmem::conformance
