// SPDX-License-Identifier: MIT
#include "paging/source/bpf_programs.h"

#include <algorithm>
#include <initializer_list>

namespace physmem {
namespace {

using enum BpfProgram::Role;

Error lacks(const std::string& what) {
  return {Error::Kind::kIo, "BPF: this kernel's BTF has " + what};
}

/// Position of the only argument with one of these types; empty if there is not exactly one.
std::optional<std::uint8_t> position_of(const BpfArguments& arguments,
                                        std::initializer_list<std::string_view> types) {
  const auto has_type = [&](const std::string& type) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  const auto found = std::find_if(arguments.begin(), arguments.end(), has_type);
  if (found == arguments.end() || std::any_of(found + 1, arguments.end(), has_type)) return {};
  return static_cast<std::uint8_t>(found - arguments.begin());
}

/// Maximum number of arguments of an attachable function (MAX_BPF_FUNC_ARGS of the kernel).
constexpr std::size_t kMaxArguments = 12;

/// Empty if the function lacks the arguments that its programs read.
std::optional<pm_bpf_arguments> positions_in(const BpfArguments& arguments,
                                             pm_bpf_function function) {
  if (arguments.size() > kMaxArguments) return {};
  const auto folio = position_of(arguments, {"struct folio *", "struct page *"});
  const auto subject =
      function == PM_BPF_FAULT ? position_of(arguments, {"struct vm_fault *"}) : folio;
  if (!subject) return {};
  const auto result = static_cast<std::uint8_t>(arguments.size());
  if (function != PM_BPF_UNMAP_ONE) return pm_bpf_arguments{*subject, 0, 0, result};
  const auto area = position_of(arguments, {"struct vm_area_struct *"});
  const auto address = position_of(arguments, {"long unsigned int"});
  if (!area || !address) return {};
  return pm_bpf_arguments{*subject, *area, *address, result};
}

std::string mismatch(const BpfProgram& program, const BpfArguments& arguments) {
  std::string text = std::string(program.function) + "(";
  for (const std::string& type : arguments) text += (text.back() == '(' ? "" : ", ") + type;
  return text + "), expected one argument of type " +
         (program.takes == PM_BPF_FAULT ? "struct vm_fault *" : "struct folio * or struct page *");
}

bool is_same(const pm_bpf_arguments& a, const pm_bpf_arguments& b) {
  return a.subject == b.subject && a.area == b.area && a.address == b.address &&
         a.result == b.result;
}

/// Another chosen program that would wrongly use the same argument positions; nullptr if there is
/// none.
const BpfProgram* contradicting(const BpfChoice& choice, const BpfProgram& program,
                                const pm_bpf_arguments& positions) {
  if (!program.takes || is_same(choice.arguments.at(*program.takes), positions)) return nullptr;
  const auto found =
      std::find_if(choice.programs.begin(), choice.programs.end(),
                   [&](const BpfProgram* other) { return other->takes == program.takes; });
  return found == choice.programs.end() ? nullptr : *found;
}

/// zswap_folio_swapin() means a read from the device only on kernels with the zero-page bitmap.
/// Older kernels call it in readahead, before swap_read_folio() (see paging.bpf.c).
bool is_of_use(const BpfProgram& program, bool has_map_of_zeros, bool is_swapin_reported) {
  const std::string_view name = program.name;
  if (name == "on_zswap_swapin") return is_swapin_reported;
  if (name == "on_zswap_load") return is_swapin_reported;
  if (name == "end_zswap_load") return !is_swapin_reported;
  const std::string_view function = program.function;
  if (function == "swap_writepage" || function == "swap_writeout") return has_map_of_zeros;
  return true;
}

}  // namespace

const std::vector<BpfProgram>& all_bpf_programs() {
  static const std::vector<BpfProgram> programs{
      {"begin_fault", "do_swap_page", kNeeded, PM_BPF_FAULT},
      {"end_fault", "do_swap_page", kNeeded, PM_BPF_FAULT},
      {"begin_readpage", "swap_readpage", kNeeded, PM_BPF_READ},
      {"end_readpage", "swap_readpage", kNeeded},
      {"begin_read_folio", "swap_read_folio", kNeeded, PM_BPF_READ},
      {"end_read_folio", "swap_read_folio", kNeeded},
      {"on_zswap_swapin", "zswap_folio_swapin", kDetail},
      {"on_zswap_load", "zswap_load", kDetail},
      {"end_zswap_load", "zswap_load", kDetail, PM_BPF_LOAD},
      {"end_frontswap_load", "zswap_frontswap_load", kDetail, PM_BPF_FRONTSWAP_LOAD},
      {"begin_unmap", "try_to_unmap", kDetail, PM_BPF_UNMAP},
      {"on_unmap_one", "try_to_unmap_one", kDetail, PM_BPF_UNMAP_ONE},
      {"on_write", "__swap_writepage", kNeeded, PM_BPF_WRITE},
      {"end_zswap_store", "zswap_store", kEvent, PM_BPF_STORE},
      {"end_frontswap_store", "zswap_frontswap_store", kEvent, PM_BPF_FRONTSWAP_STORE},
      {"begin_writepage", "swap_writepage", kDetail, PM_BPF_SWAPOUT},
      {"end_writepage", "swap_writepage", kDetail, PM_BPF_SWAPOUT},
      {"begin_writeout", "swap_writeout", kDetail, PM_BPF_SWAPOUT},
      {"end_writeout", "swap_writeout", kDetail, PM_BPF_SWAPOUT},
  };
  return programs;
}

Result<BpfChoice> choose_bpf_programs(const BpfKernel& kernel,
                                      const std::set<std::string_view>& left_out) {
  const auto knows = [&](std::string_view function) {
    return kernel.arguments(function).has_value();
  };
  for (const char* needed : {"do_swap_page", "__swap_writepage"})
    if (!knows(needed)) return lacks(std::string("no function ") + needed);
  if (!knows("swap_read_folio") && !knows("swap_readpage"))
    return lacks("neither swap_read_folio nor swap_readpage");
  BpfChoice choice;
  choice.is_swapin_reported = kernel.has_map_of_zeros && knows("zswap_folio_swapin") &&
                              knows("zswap_load") && !left_out.contains("on_zswap_swapin") &&
                              !left_out.contains("on_zswap_load");
  for (const BpfProgram& program : all_bpf_programs()) {
    const auto arguments = kernel.arguments(program.function);
    if (!arguments || left_out.contains(program.name) ||
        !is_of_use(program, kernel.has_map_of_zeros, choice.is_swapin_reported))
      continue;
    const auto positions =
        program.takes ? positions_in(*arguments, *program.takes) : pm_bpf_arguments{};
    if (!positions && !program.is_optional()) return lacks(mismatch(program, *arguments));
    if (!positions) continue;
    if (const BpfProgram* other = contradicting(choice, program, *positions)) {
      if (program.is_optional()) continue;
      return lacks(std::string(other->function) + " and " + program.function +
                   ", expected one of them");
    }
    if (program.takes) choice.arguments.at(*program.takes) = *positions;
    choice.programs.push_back(&program);
  }
  return choice;
}

bool BpfChoice::has(std::string_view program) const {
  return std::any_of(programs.begin(), programs.end(),
                     [=](const BpfProgram* one) { return one->name == program; });
}

std::string BpfChoice::shortcomings() const {
  std::string text;
  if (!is_swapin_reported && !has("end_zswap_load") && !has("end_frontswap_load"))
    text =
        "cannot probe zswap; its pages, and zero pages on Linux 6.12 and later, count as "
        "device reads";
  if (!has("begin_unmap") || !has("on_unmap_one"))
    text += std::string(text.empty() ? "" : "; ") +
            "cannot probe try_to_unmap_one; swap-out records will have no owner";
  return text;
}

}  // namespace physmem
