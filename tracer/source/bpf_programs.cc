// SPDX-License-Identifier: MIT
#include "tracer/source/bpf_programs.h"

#include <algorithm>

namespace physmem {
namespace {

using enum BpfProgram::Role;

Error lacks(const std::string& what) {
  return {Error::Kind::kIo, "BPF: this kernel's BTF has " + what};
}

/// zswap_folio_swapin() says that a page is read from the device only where a map of pages of zeros is asked before: older
/// kernels call it in readahead, before swap_read_folio() (see paging.bpf.c).
bool is_of_use(const BpfProgram& program, bool has_map_of_zeros, bool is_swapin_told) {
  const std::string_view name = program.name;
  if (name == "on_zswap_swapin") return is_swapin_told;
  if (name == "on_zswap_load") return is_swapin_told;
  if (name == "end_zswap_load") return !is_swapin_told;
  const std::string_view function = program.function;
  if (function == "swap_writepage" || function == "swap_writeout") return has_map_of_zeros;
  return true;
}

}  // namespace

const std::vector<BpfProgram>& all_bpf_programs() {
  static const std::vector<BpfProgram> programs{
      {"begin_fault", "do_swap_page", kNeeded},
      {"end_fault", "do_swap_page", kNeeded},
      {"begin_readpage", "swap_readpage", kNeeded},
      {"end_readpage", "swap_readpage", kNeeded},
      {"begin_read_folio", "swap_read_folio", kNeeded},
      {"end_read_folio", "swap_read_folio", kNeeded},
      {"on_zswap_swapin", "zswap_folio_swapin", kDetail},
      {"on_zswap_load", "zswap_load", kDetail},
      {"end_zswap_load", "zswap_load", kDetail},
      {"end_frontswap_load", "zswap_frontswap_load", kDetail},
      {"begin_unmap", "try_to_unmap", kDetail},
      {"on_unmap_one", "try_to_unmap_one", kDetail},
      {"on_write", "__swap_writepage", kNeeded},
      {"end_zswap_store", "zswap_store", kEvent},
      {"end_frontswap_store", "zswap_frontswap_store", kEvent},
      {"begin_writepage", "swap_writepage", kDetail},
      {"end_writepage", "swap_writepage", kDetail},
      {"begin_writeout", "swap_writeout", kDetail},
      {"end_writeout", "swap_writeout", kDetail},
  };
  return programs;
}

Result<BpfChoice> choose_bpf_programs(const BpfKernel& kernel, const std::set<std::string_view>& left_out) {
  for (const char* needed : {"do_swap_page", "__swap_writepage"})
    if (!kernel.knows(needed)) return lacks(std::string("no function ") + needed);
  if (!kernel.knows("swap_read_folio") && !kernel.knows("swap_readpage"))
    return lacks("neither swap_read_folio nor swap_readpage");
  BpfChoice choice;
  choice.is_swapin_told = kernel.has_map_of_zeros && kernel.knows("zswap_folio_swapin") &&
                          kernel.knows("zswap_load") && !left_out.contains("on_zswap_swapin") &&
                          !left_out.contains("on_zswap_load");
  for (const BpfProgram& program : all_bpf_programs())
    if (kernel.knows(program.function) && !left_out.contains(program.name) &&
        is_of_use(program, kernel.has_map_of_zeros, choice.is_swapin_told))
      choice.programs.push_back(&program);
  return choice;
}

bool BpfChoice::has(std::string_view program) const {
  return std::any_of(programs.begin(), programs.end(),
                     [=](const BpfProgram* one) { return one->name == program; });
}

std::string BpfChoice::shortcomings() const {
  std::string text;
  if (!is_swapin_told && !has("end_zswap_load") && !has("end_frontswap_load"))
    text =
        "zswap is not there to be looked at: what it gives, and pages of zeros on Linux 6.12 and later, "
        "count as read";
  if (!has("begin_unmap") || !has("on_unmap_one"))
    text += std::string(text.empty() ? "" : "; ") +
            "try_to_unmap_one is not there to be looked at: owners of swap-outs are not told";
  return text;
}

}  // namespace physmem
