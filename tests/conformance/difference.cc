// SPDX-License-Identifier: MIT
#include "tests/conformance/difference.h"

#include <set>

namespace physmem::conformance {
namespace {

constexpr int kLooks = 12;
constexpr std::size_t kShown = 20;

}  // namespace

std::vector<Difference> lasting_differences(const std::function<std::vector<Difference>()>& look) {
  std::vector<Difference> lasting = look();
  for (int i = 1; i < kLooks && !lasting.empty(); ++i) {
    std::set<std::string> before;
    for (const Difference& difference : lasting) before.insert(difference.place);
    lasting = look();
    std::erase_if(lasting, [&](const Difference& now) { return !before.contains(now.place); });
  }
  return lasting;
}

std::string text_of(const std::vector<Difference>& differences) {
  std::string text = std::to_string(differences.size()) + " differences\n";
  for (std::size_t i = 0; i < differences.size() && i < kShown; ++i)
    text += differences[i].place + ": " + differences[i].what + "\n";
  return text;
}

}  // namespace physmem::conformance
