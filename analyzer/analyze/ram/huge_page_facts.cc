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

std::uint64_t HugePageFacts::size_kib() const {
  return has("mem.Hugepagesize_kB") ? of("mem.Hugepagesize_kB") : 2048;
}

bool HugePageFacts::has_own_rule() const {
  const std::string own = "thp." + std::to_string(size_kib()) + "kB.enabled";
  return has(own) && static_cast<HugePageRule>(of(own)) != HugePageRule::kInherit;
}

HugePageRule HugePageFacts::rule() const {
  const std::string own = "thp." + std::to_string(size_kib()) + "kB.enabled";
  return static_cast<HugePageRule>(of(has_own_rule() ? own : "thp.enabled"));
}

bool HugePageFacts::is_little() const {
  return anonymous_kib() < kFewestPages * size_kib();
}

bool HugePageFacts::is_rare() const {
  return !is_little() &&
         static_cast<double>(huge_kib()) < kRareShare * static_cast<double>(anonymous_kib());
}

}  // namespace physmem
