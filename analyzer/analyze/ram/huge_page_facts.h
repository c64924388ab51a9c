// SPDX-License-Identifier: MIT
// Huge pages of processes: the rules of the kernel for them, and the kernel's counters.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// Numbers of `thp.enabled` and `thp.SIZE.enabled`.
enum class HugePageRule : std::uint8_t { kNever, kMadvise, kAlways, kInherit };

class HugePageFacts : public Analysis {
 public:
  /// Huge pages are rare if less than this share of anonymous memory is in them.
  static constexpr double kRareShare = 0.2;
  /// With less anonymous memory than so many huge pages there is nothing to judge.
  static constexpr std::uint64_t kFewestPages = 16;

  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;

  /// False: the snapshot has no counters of it.
  bool is_known() const { return has("thp.enabled") && has("mem.AnonPages_kB"); }
  /// A counter; 0 if the snapshot does not have it.
  std::uint64_t of(const std::string& counter) const;
  bool has(const std::string& counter) const { return counters_.contains(counter); }

  /// The rule for huge pages of the size that one page of page tables maps, which the other
  /// counters are about. Never kInherit.
  HugePageRule rule() const;
  /// Whether that size has a rule of its own, in place of the one for all sizes.
  bool has_own_rule() const;
  std::uint64_t size_kib() const;
  std::uint64_t anonymous_kib() const { return of("mem.AnonPages_kB"); }
  std::uint64_t huge_kib() const { return of("mem.AnonHugePages_kB"); }
  /// Page faults that got a huge page, or asked for one and got small pages.
  std::uint64_t asked() const { return of("vm.thp_fault_alloc") + of("vm.thp_fault_fallback"); }
  /// Whether there is enough memory to judge, and few huge pages.
  bool is_rare() const;
  bool is_little() const;

 private:
  std::map<std::string, std::uint64_t> counters_;
};

}  // namespace physmem
