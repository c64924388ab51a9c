// SPDX-License-Identifier: MIT
#include "analyzer/analyze/ram/huge_page_facts.h"

#include <algorithm>
#include <string_view>

namespace physmem {

void HugePageFacts::on_header(const Header&) {
  counters_.clear();
}

void HugePageFacts::on_counters(std::span<const Counter> counters) {
  const auto is_own = [](std::string_view name) {
    return name.starts_with("thp.") || name.starts_with("vm.thp_") ||
           name.starts_with("vm.compact_") || name.starts_with("mem.Anon") ||
           name == "mem.Hugepagesize_kB";
  };
  for (const Counter& counter : counters)
    if (is_own(counter.name)) counters_[std::string(counter.name)] = counter.value;
}

std::uint64_t HugePageFacts::of(const std::string& counter) const {
  const auto found = counters_.find(counter);
  return found == counters_.end() ? 0 : found->second;
}

HugePageRule HugePageFacts::widest_rule() const {
  HugePageRule widest = rule();
  bool has_sizes = false;
  for (const auto& [name, value] : counters_) {
    if (!name.starts_with("thp.") || !name.ends_with("kB.enabled")) continue;
    auto own = static_cast<HugePageRule>(value);
    if (own == HugePageRule::kInherit) own = rule();
    widest = has_sizes ? std::max(widest, own) : own;
    has_sizes = true;
  }
  return widest;
}

bool HugePageFacts::is_little() const {
  return anonymous_kib() < kFewestPages * std::max<std::uint64_t>(of("mem.Hugepagesize_kB"), 2048);
}

bool HugePageFacts::is_rare() const {
  return !is_little() &&
         static_cast<double>(huge_kib()) < kRareShare * static_cast<double>(anonymous_kib());
}

}  // namespace physmem
