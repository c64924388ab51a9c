// SPDX-License-Identifier: MIT
#include "tests/conformance/difference_reason.h"

#include <utility>

#include "tests/conformance/observers.h"

namespace physmem::conformance {
namespace {

// "name (pid), name (pid) twice": the processes that map it more often than in the other snapshot.
std::string more_than(const std::map<std::string, std::uint64_t>& these,
                      const std::map<std::string, std::uint64_t>& those) {
  std::string text;
  for (const auto& [name, times] : these) {
    const auto other = those.find(name);
    const std::uint64_t usual = other == those.end() ? 0 : other->second;
    if (times > usual)
      text += (text.empty() ? "" : ", ") + name + " " + std::to_string(times - usual) + "x";
  }
  return text.empty() ? "no process" : text;
}

std::uint64_t sum_of(const std::map<std::string, std::uint64_t>& others) {
  std::uint64_t sum = 0;
  for (const auto& [name, times] : others) sum += times;
  return sum;
}

// The bits in which two hexadecimal numbers "X against Y" differ.
std::uint64_t changed_bits(const std::string& what) {
  std::size_t used = 0;
  const std::uint64_t a = std::stoull(what, &used, 16);
  return a ^ std::stoull(what.substr(what.find(" against ") + 9), nullptr, 16);
}

}  // namespace

Reasons::Reasons(const Snapshot& a, const Snapshot& b, std::set<std::uint64_t> still)
    : still_(std::move(still)), a_(others_of(a)), b_(others_of(b)) {}

Reasons::OthersOfFrame Reasons::others_of(const Snapshot& snapshot) const {
  const std::uint64_t mask = std::stoull(snapshot.header.at("phys_mask"), nullptr, 16);
  OthersOfFrame others;
  for (const TaskRecord& task : snapshot.tasks) {
    if (still_.contains(task.tgid)) continue;
    const std::string name = task.fields.at(0) + " (" + std::to_string(task.pid) + ")";
    for (const AreaRecord& area : task.areas)
      for (const Page& page : area.pages) ++others[page.value & mask][name];
  }
  return others;
}

std::string Reasons::of(const Difference& difference) const {
  if (difference.is_sum_of_pages) return "each side's is the sum of its pages, below";
  if (!difference.frame) return "";
  static const Others kNoOthers;
  const auto in = [&](const OthersOfFrame& all) -> const Others& {
    const auto found = all.find(*difference.frame);
    return found == all.end() ? kNoOthers : found->second;
  };
  const Others& a = in(a_);
  const Others& b = in(b_);
  if (difference.place.ends_with(" count")) return reason_of_count(difference, a, b);
  const bool may_age = difference.place.ends_with(" flags") && (a != b) &&
                       (changed_bits(difference.what) & ~kObserversFlags) == 0;
  return may_age ? "mapped besides in the first by " + more_than(a, b) + ", in the second by " +
                       more_than(b, a) + ", whose end marks it as used"
                 : "";
}

// A higher count is explained if other processes have exactly as many additional mappings.
std::string Reasons::reason_of_count(const Difference& difference, const Others& a,
                                     const Others& b) const {
  const std::uint64_t a_count = std::stoull(difference.what);
  const std::uint64_t b_count =
      std::stoull(difference.what.substr(difference.what.find(" against ") + 9));
  if (a_count + sum_of(b) != b_count + sum_of(a)) return "";
  return "mapped besides in the first by " + more_than(a, b) + ", in the second by " +
         more_than(b, a);
}

}  // namespace physmem::conformance
