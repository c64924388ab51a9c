// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/kcore_kernel.h"

#include <utility>

#include "collector-proc/kernel/kernel_core.h"
#include "collector-proc/kernel/kernel_symbols.h"

namespace physmem::collect {
namespace {

class KcoreKernel : public KernelSource {
 public:
  KcoreKernel(KernelCore core, const ProcTree& tree) : core_(std::move(core)), tree_(tree) {}
  bool read_virtual(std::uint64_t at, void* to, std::size_t bytes) override {
    return core_.read_virtual(at, to, bytes);
  }
  bool read_physical(std::uint64_t at, void* to, std::size_t bytes) override {
    return core_.read_physical(at, to, bytes);
  }
  std::optional<std::uint64_t> address(std::string_view name) const override {
    return symbols_.address(name);
  }
  std::optional<std::string> name_of(std::uint64_t address) const override {
    return symbols_.name_of(address);
  }
  std::string read_symbols() override {
    symbols_ = KernelSymbols::read(tree_, layout_symbols());
    if (!symbols_.has_addresses())
      return tree_.path("kallsyms") + " hides addresses: kptr_restrict is 2, or not root";
    if (!symbols_.address("init_task"))
      return tree_.path("kallsyms") +
             " lacks variables (a kernel without CONFIG_KALLSYMS_ALL); bpf does not need them";
    return "";
  }

 private:
  KernelCore core_;
  const ProcTree& tree_;
  KernelSymbols symbols_;
};

}  // namespace

Result<std::unique_ptr<KernelSource>> open_kcore_kernel(const ProcTree& tree) {
  Result<KernelCore> core = KernelCore::open(tree);
  if (!core) return core.error();
  return std::unique_ptr<KernelSource>(std::make_unique<KcoreKernel>(std::move(*core), tree));
}

}  // namespace physmem::collect
