// SPDX-License-Identifier: MIT
// Selects the programs of paging/bpf/paging.bpf.c to load on a kernel.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "paging/bpf/paging_map.h"
#include "program/result.h"

namespace physmem {

/// A program and the kernel function that it is attached to.
struct BpfProgram {
  enum class Role {
    kNeeded,  ///< without it, no events can be recorded
    kEvent,   ///< a missed call is a lost event
    kDetail,  ///< adds details to an event: its owner or its origin
  };
  const char* name;
  const char* function;
  Role role;
  std::optional<pm_bpf_function> takes = {};  ///< the function whose arguments or result it reads
  bool is_optional() const { return role != Role::kNeeded; }
  bool is_event() const { return role != Role::kDetail; }
};

/// Types of a function's arguments in C: "struct folio *", "long unsigned int".
using BpfArguments = std::vector<std::string>;

/// Queries about a kernel.
struct BpfKernel {
  /// nullopt if the kernel lacks the function.
  std::function<std::optional<BpfArguments>(std::string_view function)> arguments;
  /// The kernel has a zero-page bitmap (v6.12): SWPOUT_ZERO is one of its counters.
  bool has_map_of_zeros = false;
};

struct BpfChoice {
  std::vector<const BpfProgram*> programs;
  bool is_swapin_reported = false;                                ///< for pm_bpf_settings
  std::array<pm_bpf_arguments, PM_BPF_FUNCTIONS> arguments = {};  ///< the same

  bool has(std::string_view program) const;
  /// What these programs cannot observe, in the module's words. Empty if nothing.
  std::string shortcomings() const;
};

/// Chooses all programs, except `left_out`, whose function exists and takes the arguments that they
/// read. Fails if the function of a needed program is missing or takes other arguments.
Result<BpfChoice> choose_bpf_programs(const BpfKernel& kernel,
                                      const std::set<std::string_view>& left_out);

/// All programs of paging.bpf.c.
const std::vector<BpfProgram>& all_bpf_programs();

}  // namespace physmem
