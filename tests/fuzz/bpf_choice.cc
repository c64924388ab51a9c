// SPDX-License-Identifier: MIT
// The input has functions of a kernel's BTF, one per line: "name: type, type", and "zeros" for a
// map of zero pages. The chosen BPF programs must attach to existing functions and read existing
// arguments, or an error names what is missing.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "paging/source/bpf_programs.h"
#include "paging/source/proc_text.h"
#include "tests/fuzz/check.h"

namespace {

using namespace physmem;

using Functions = std::map<std::string, BpfArguments, std::less<>>;

Functions functions_in(std::string_view text, bool& has_zeros) {
  Functions functions;
  std::string_view line;
  while (take_line(text, line)) {
    has_zeros = has_zeros || line == "zeros";
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) continue;
    BpfArguments arguments;
    for (std::string_view rest = line.substr(colon + 2); !rest.empty();) {
      const std::size_t comma = std::min(rest.find(", "), rest.size());
      arguments.emplace_back(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 2, rest.size()));
    }
    functions[std::string(line.substr(0, colon))] = std::move(arguments);
  }
  return functions;
}

void check_positions(const pm_bpf_arguments& at, const BpfArguments& types,
                     pm_bpf_function function) {
  PHYSMEM_CHECK(at.subject < types.size() && at.result == types.size());
  const std::string& subject = types[at.subject];
  if (function == PM_BPF_FAULT) {
    PHYSMEM_CHECK(subject == "struct vm_fault *");
    return;
  }
  PHYSMEM_CHECK(subject == "struct folio *" || subject == "struct page *");
  if (function != PM_BPF_UNMAP_ONE) return;
  PHYSMEM_CHECK(at.area < types.size() && types[at.area] == "struct vm_area_struct *");
  PHYSMEM_CHECK(at.address < types.size() && types[at.address] == "long unsigned int");
}

void check_choice(const BpfChoice& choice, const Functions& functions) {
  for (const BpfProgram& program : all_bpf_programs())
    PHYSMEM_CHECK(program.is_optional() || choice.has(program.name) ||
                  functions.find(program.function) == functions.end());
  for (const BpfProgram* program : choice.programs) {
    const auto found = functions.find(program->function);
    PHYSMEM_CHECK(found != functions.end());
    if (program->takes)
      check_positions(choice.arguments[*program->takes], found->second, *program->takes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  BpfKernel kernel;
  const Functions functions =
      functions_in({reinterpret_cast<const char*>(data), size}, kernel.has_map_of_zeros);
  kernel.arguments = [&](std::string_view function) -> std::optional<BpfArguments> {
    const auto found = functions.find(function);
    if (found == functions.end()) return {};
    return found->second;
  };
  const auto choice = choose_bpf_programs(kernel, {});
  if (!choice) {
    PHYSMEM_CHECK(!choice.error().text.empty());
    return 0;
  }
  check_choice(*choice, functions);
  return 0;
}
