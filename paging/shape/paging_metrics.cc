// SPDX-License-Identifier: MIT
#include "paging/shape/paging_metrics.h"

#include <algorithm>
#include <map>
#include <string>

namespace physmem {
namespace {

constexpr double kNsOfSecond = 1e9;

/// The busiest names, then the sum of all others.
std::vector<PagingTotal> by_name(const PagingTotals& totals) {
  std::vector<PagingTotal> names;
  std::map<std::string, std::size_t> at;
  PagingTotal other;
  other.comm = "other";
  for (PagingTotal total : totals.by_process()) {
    if (total.comm.empty()) total.comm = "unknown";
    const auto [found, is_new] = at.try_emplace(total.comm, names.size());
    if (!is_new) {
      add_total(found->second < names.size() ? names[found->second] : other, total);
    } else if (names.size() < kMetricProcesses && total.comm != "other") {
      names.push_back(total);
    } else {
      found->second = SIZE_MAX;
      add_total(other, total);
    }
  }
  names.push_back(other);
  return names;
}

MetricFamily events(const std::vector<PagingTotal>& names) {
  MetricFamily family{
      "physmem_paging_events", "", "Pages between memory and swap, by what happened to them.", {}};
  const auto add = [&](const char* kind, const std::string& process, std::uint64_t value) {
    family.samples.push_back({{{"kind", kind}, {"process", process}}, value});
  };
  for (const PagingTotal& total : names) {
    add("read", total.comm, total.reads - std::min(total.reads, total.readahead));
    add("readahead", total.comm, total.readahead);
    add("hit", total.comm, total.hits);
    add("written", total.comm, total.writes);
    add("zswap_or_zeros", total.comm, total.unmoved);
  }
  return family;
}

template <class Value>
MetricFamily family_of(std::string name, std::string unit, std::string help,
                       const std::vector<PagingTotal>& names, Value value) {
  MetricFamily family{std::move(name), std::move(unit), std::move(help), {}};
  for (const PagingTotal& total : names)
    family.samples.push_back({{{"process", total.comm}}, value(total)});
  return family;
}

}  // namespace

std::vector<MetricFamily> paging_metrics(const PagingTotals& totals) {
  const std::vector<PagingTotal> names = by_name(totals);
  return {events(names),
          family_of("physmem_paging_inferred_owners", "",
                    "Pages written whose process is inferred from the last owner of the frame.",
                    names, [](const PagingTotal& total) { return total.inferred; }),
          family_of("physmem_paging_major_faults", "", "Faults that the kernel counts as major.",
                    names, [](const PagingTotal& total) { return total.major; }),
          family_of("physmem_paging_timed_faults", "",
                    "Faults that brought a page in and whose service time is known; hits are none.",
                    names, [](const PagingTotal& total) { return total.timed; }),
          family_of("physmem_paging_service_seconds", "seconds",
                    "Time from entry to return of these faults.", names,
                    [](const PagingTotal& total) {
                      return static_cast<double>(total.service_ns) / kNsOfSecond;
                    }),
          MetricFamily{"physmem_paging_lost_events",
                       "",
                       "Events lost by the tracer or the network.",
                       {{{}, totals.lost()}}}};
}

}  // namespace physmem
