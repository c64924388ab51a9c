// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collector-proc/proc_tree.h"

namespace physmem::collect {

struct Counter {
  std::string name;
  std::uint64_t value = 0;
};

/// The counters of /proc/vmstat about paging, as vm.NAME.
void parse_vmstat(std::string_view text, std::vector<Counter>& into);
/// Every line of /proc/meminfo that is in kB, as mem.NAME_kB; "Active(anon)" becomes Active_anon.
void parse_meminfo(std::string_view text, std::vector<Counter>& into);
/// Stall totals of /proc/pressure/memory, as psi.memory.some_us and psi.memory.full_us.
/// Adds PREFIXNAME for each name.
void add_counters(std::string_view prefix,
                  std::initializer_list<std::pair<const char*, std::uint64_t>> values,
                  std::vector<Counter>& into);
/// Adds PREFIXsome_us and PREFIXfull_us, from the text of a pressure file.
void parse_pressure(std::string_view text, std::string_view prefix, std::vector<Counter>& into);

/// All of the above. A missing file (no CONFIG_PSI) contributes no counters.
std::vector<Counter> read_counters(const ProcTree& tree);

std::optional<std::uint64_t> find_counter(const std::vector<Counter>& counters,
                                          std::string_view name);

/// What devices of zram hold, as in /proc/swaps: swap.zram_used_kB, unless it is 0.
void parse_swaps(std::string_view text, std::vector<Counter>& into);
/// Number of swap devices and files in use: the lines of /proc/swaps after the heading.
std::uint64_t count_swap_devices(std::string_view text);

}  // namespace physmem::collect
