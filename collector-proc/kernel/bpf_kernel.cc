// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/bpf_kernel.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>

#include "collector-proc/capabilities.h"
#include "collector-proc/kernel/kernel_symbols.h"
#include "collector-proc/kernel/own_frame.h"
#include "collector-proc/text_cursor.h"
#include "program/deleter.h"

extern "C" {
#include "kernel-image/bpf_copy.h"
}

namespace physmem::collect {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kPiece = 1024;  ///< frames that are looked at together
constexpr std::size_t kEnoughVotes = 32, kFewestVotes = 8;

Error unknown(const std::string& what) {
  return Error{Error::Kind::kIo, "BPF: " + what};
}

class BpfKernel : public KernelSource {
 public:
  BpfKernel(BpfCopy copy, const ProcTree& tree, const KernelTypes& types,
            std::vector<FrameSpan> map, std::uint64_t page_size, std::uint64_t swap_devices,
            bool with_functions)
      : copy_(std::move(copy)),
        tree_(tree),
        types_(&types),
        map_(std::move(map)),
        page_size_(page_size),
        swap_devices_(swap_devices),
        with_functions_(with_functions) {}

  /// Finds the addresses. The types are used only here.
  Status find(int sys);

  bool read_virtual(std::uint64_t at, void* to, std::size_t bytes) override {
    if (at >= kConstants && at - kConstants < constants_.size())
      return read_constant(at, to, bytes);
    return pm_bpf_copy_read(copy_.get(), at, to, bytes);
  }
  unsigned char* list_bytes() const override { return pm_bpf_copy_bytes(copy_.get()); }
  void read_list(pm_item* items, std::size_t n) override {
    pm_bpf_copy_list(copy_.get(), items, n);
  }
  bool has_gate() const override { return true; }
  bool is_plain(std::uint64_t at, std::size_t bytes) const override;
  std::optional<std::uint64_t> frame_at(std::uint64_t at) const override;
  std::uint64_t virtual_of(std::uint64_t physical) const override { return direct_ + physical; }
  std::uint64_t own_task() const override { return pm_bpf_copy_task(copy_.get()); }
  std::optional<std::uint64_t> address(std::string_view name) const override {
    const auto found = variables_.find(name);
    return found != variables_.end() ? std::optional(found->second) : symbols_.address(name);
  }
  std::optional<std::string> name_of(std::uint64_t address) const override {
    return symbols_.name_of(address);
  }
  bool has_symbols() const override { return !with_functions_ || symbols_.has_addresses(); }
  std::string read_symbols() override;

 private:
  /// Addresses that no kernel has: what is known of variables whose addresses are not.
  static constexpr std::uint64_t kConstants = 0x10000;

  struct Range {
    std::uint64_t begin = 0, end = 0;
  };

  bool read_constant(std::uint64_t at, void* to, std::size_t bytes) const;
  void set_constant(std::string_view name, std::size_t bytes, std::size_t offset,
                    std::uint64_t value);
  void end_constants();
  const FrameSpan* span_of(std::uint64_t pfn) const;
  bool is_ram(std::uint64_t pfn) const {
    const FrameSpan* const span = span_of(pfn);
    return span != nullptr && span->kind != FrameSpan::Kind::kOffline;
  }
  /// The frames between the parts of the image were freed, and are still mapped.
  bool is_image(std::uint64_t pfn) const {
    const FrameSpan* const span = span_of(pfn);
    return span != nullptr && is_of_image(*span);
  }
  static bool is_of_image(const FrameSpan& span) {
    return span.kind == FrameSpan::Kind::kKernelCode || span.kind == FrameSpan::Kind::kKernelData;
  }
  static bool is_within(const Range& range, std::uint64_t at) {
    return at >= range.begin && at < range.end;
  }

  std::optional<std::uint64_t> offset(std::string_view type, std::string_view member) const {
    const auto found = types_->member(type, member);
    return found ? std::optional(static_cast<std::uint64_t>(found->offset)) : std::nullopt;
  }
  /// Before it is known what is where, only pointers that the kernel gave, from the own task on.
  std::optional<std::uint64_t> pointer(std::uint64_t at) {
    std::uint64_t value = 0;
    const bool is_allowed = direct_ == 0 || is_plain(at, sizeof value) || frame_at(at);
    if (!is_kernel_address(at) || !is_allowed ||
        !pm_bpf_copy_read(copy_.get(), at, &value, sizeof value))
      return std::nullopt;
    return value;
  }
  /// Kernels before v6.2 warn of other addresses (canonical ones, of 4 levels on x86). With 5
  /// levels, or 52 bits on arm64, the direct map begins lower: the own task lies in it.
  bool is_kernel_address(std::uint64_t at) const {
    constexpr std::uint64_t kFourLevels = std::uint64_t{0xffff8} << 44;
    constexpr std::uint64_t kMost = std::uint64_t{0xff} << 56;
    return at >= (own_task() >= kFourLevels ? kFourLevels : kMost);
  }
  /// Follows members from one struct to the next.
  std::optional<std::uint64_t> follow(
      std::uint64_t at, std::initializer_list<std::pair<const char*, const char*>> members);

  std::optional<std::uint64_t> file_of(const UniqueFd& fd);
  Status find_struct_pages();
  void find_name_maker();
  Status find_direct_map();
  Status find_first_task();
  Result<std::string> vmcoreinfo(int sys);
  void take_line(std::string_view line);
  Status find_variables(int sys);
  void find_cgroup_root();
  Status find_image();
  bool vote(const std::vector<char>& pages, std::uint64_t first,
            std::map<std::uint64_t, std::size_t>& votes) const;
  std::optional<std::uint64_t> freelist_of(const char* page) const;

  BpfCopy copy_;
  const ProcTree& tree_;
  const KernelTypes* types_;
  KernelSymbols symbols_;
  std::vector<FrameSpan> map_;
  mutable FrameSpan last_{};  ///< of the map; of the last frame that was asked about
  std::uint64_t page_size_, swap_devices_;
  bool with_functions_;
  std::uint64_t first_page_ = 0;   ///< struct page of frame 0
  std::uint64_t page_struct_ = 0;  ///< its size
  std::uint64_t direct_ = 0;       ///< direct map of frame 0
  Range image_;
  std::uint64_t image_frame_ = 0;  ///< of its begin
  std::uint64_t flags_at_ = 0, type_at_ = 0;
  std::uint64_t slab_flag_ = 0, slab_type_ = 0, freelist_at_ = 0;
  Range constants_range_;
  std::vector<char> constants_;
  std::map<std::string, std::uint64_t, std::less<>> variables_;
};

bool BpfKernel::read_constant(std::uint64_t at, void* to, std::size_t bytes) const {
  if (bytes > constants_.size() - (at - kConstants)) return false;
  std::memcpy(to, constants_.data() + (at - kConstants), bytes);
  return true;
}

/// A variable of `bytes` bytes, 0 but for the 8 bytes at offset.
void BpfKernel::set_constant(std::string_view name, std::size_t bytes, std::size_t offset,
                             std::uint64_t value) {
  const std::size_t begin = constants_.size();
  constants_.resize(begin + (std::max(bytes, offset + sizeof value) + 7) / 8 * 8);
  std::memcpy(constants_.data() + begin + offset, &value, sizeof value);
  variables_[std::string(name)] = kConstants + begin;
}

/// A reader reads blocks, and a variable may lie at the end.
void BpfKernel::end_constants() {
  constants_.resize(static_cast<std::size_t>((constants_.size() / page_size_ + 2) * page_size_));
  constants_range_ = {kConstants, kConstants + constants_.size()};
}

/// nullptr: the frame is not RAM.
const FrameSpan* BpfKernel::span_of(std::uint64_t pfn) const {
  const auto has = [pfn](const FrameSpan& span) { return pfn >= span.begin && pfn < span.end; };
  if (!has(last_)) {
    const auto after = std::upper_bound(
        map_.begin(), map_.end(), pfn,
        [](std::uint64_t frame, const FrameSpan& span) { return frame < span.begin; });
    if (after == map_.begin() || !has(*std::prev(after))) return nullptr;
    last_ = *std::prev(after);
  }
  return &last_;
}

/// A block at the edge of RAM may have struct pages of both.
bool BpfKernel::is_plain(std::uint64_t at, std::size_t bytes) const {
  if (is_within(constants_range_, at)) return true;
  if (is_within(image_, at)) return is_image(image_frame_ + (at - image_.begin) / page_size_);
  if (at < first_page_) return false;
  return is_ram((at - first_page_) / page_struct_) ||
         is_ram((at - first_page_ + bytes - 1) / page_struct_);
}

std::optional<std::uint64_t> BpfKernel::frame_at(std::uint64_t at) const {
  const std::uint64_t pfn = (at - direct_) / page_size_;
  return at >= direct_ && is_ram(pfn) ? std::optional(pfn) : std::nullopt;
}

std::optional<std::uint64_t> BpfKernel::follow(
    std::uint64_t at, std::initializer_list<std::pair<const char*, const char*>> members) {
  for (const auto& [type, member] : members) {
    const auto where = offset(type, member);
    const auto value = where ? pointer(at + *where) : std::nullopt;
    if (!value) return std::nullopt;
    at = *value;
  }
  return at;
}

/// The struct file of an open file of this program.
std::optional<std::uint64_t> BpfKernel::file_of(const UniqueFd& fd) {
  const auto table =
      fd ? follow(own_task(),
                  {{"task_struct", "files"}, {"files_struct", "fdt"}, {"fdtable", "fd"}})
         : std::nullopt;
  return table ? pointer(*table + 8 * static_cast<std::uint64_t>(fd.get())) : std::nullopt;
}

/// An own page's struct page is the only entry of its file's page cache.
Status BpfKernel::find_struct_pages() {
  const OwnFrame own(static_cast<std::size_t>(page_size_));
  const std::uint64_t pfn = own.pfn();
  if (pfn == 0) return unknown("frame numbers are hidden (CAP_SYS_ADMIN is required)");
  const auto file = file_of(own.file());
  const auto mapping = file ? follow(*file, {{"file", "f_mapping"}}) : std::nullopt;
  const auto pages = offset("address_space", "i_pages");
  const auto head = offset("xarray", "xa_head");
  const auto page = mapping && pages && head ? pointer(*mapping + *pages + *head) : std::nullopt;
  page_struct_ = types_->size_of("page");
  if (!page || page_struct_ == 0 || !is_kernel_address(*page - pfn * page_struct_))
    return unknown("the place of the struct pages is not known");
  first_page_ = *page - pfn * page_struct_;
  return {};
}

/// The function that names files of memory, by a file of this program.
void BpfKernel::find_name_maker() {
  const UniqueFd own(static_cast<int>(::memfd_create("physmem", MFD_CLOEXEC)));
  const auto path = offset("file", "f_path"), dentry = offset("path", "dentry");
  const auto file = path && dentry ? file_of(own) : std::nullopt;
  const auto at = file ? pointer(*file + *path + *dentry) : std::nullopt;
  const auto maker =
      at ? follow(*at, {{"dentry", "d_op"}, {"dentry_operations", "d_dname"}}) : std::nullopt;
  if (maker) variables_["simple_dname"] = *maker;
}

std::optional<std::uint64_t> BpfKernel::freelist_of(const char* page) const {
  std::uint64_t flags = 0, list = 0;
  std::uint32_t type = 0;
  std::memcpy(&flags, page + flags_at_, sizeof flags);
  std::memcpy(&type, page + type_at_, sizeof type);
  const bool is_slab = slab_type_ != 0 ? type >> 24 == slab_type_ : (flags & slab_flag_) != 0;
  std::memcpy(&list, page + freelist_at_, sizeof list);
  return is_slab && is_kernel_address(list) ? std::optional(list) : std::nullopt;
}

/// The list of free objects of a slab points into it. True: enough votes.
bool BpfKernel::vote(const std::vector<char>& pages, std::uint64_t first,
                     std::map<std::uint64_t, std::size_t>& votes) const {
  constexpr std::uint64_t kMaxSlabFrames = 8;
  for (std::uint64_t i = 0; i < pages.size() / page_struct_; ++i) {
    const auto list = freelist_of(pages.data() + i * page_struct_);
    if (!list) continue;
    const std::uint64_t base = *list - (first + i) * page_size_;
    if (base % kGiB >= kMaxSlabFrames * page_size_) continue;
    if (++votes[base / kGiB * kGiB] == kEnoughVotes) return true;
  }
  return false;
}

Status BpfKernel::find_direct_map() {
  std::map<std::uint64_t, std::size_t> votes;
  std::vector<std::uint64_t> pieces;
  for (const FrameSpan& span : map_)
    if (span.kind == FrameSpan::Kind::kRam)
      for (std::uint64_t pfn = span.begin; pfn + kPiece <= span.end; pfn += kPiece)
        pieces.push_back(pfn);
  std::size_t stride = 7919;  // pieces in scattered order
  while (!pieces.empty() && std::gcd(stride, pieces.size()) > 1) ++stride;
  std::vector<char> pages(static_cast<std::size_t>(kPiece * page_struct_));
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::uint64_t first = pieces[i * stride % pieces.size()];
    if (!pm_bpf_copy_read(copy_.get(), first_page_ + first * page_struct_, pages.data(),
                          pages.size()))
      continue;
    if (vote(pages, first, votes)) break;
  }
  // A slab that is freed and used again during the read may give a wrong vote. That VMCOREINFO is
  // where it should be confirms the place.
  const auto best = std::max_element(
      votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (best == votes.end() || best->second < kFewestVotes)
    return unknown("the place of the direct map is not known: " +
                   std::to_string(best == votes.end() ? 0 : best->second) + " slabs for one of " +
                   std::to_string(votes.size()));
  direct_ = best->first;
  return {};
}

/// The first task is its own parent.
Status BpfKernel::find_first_task() {
  const auto parent = offset("task_struct", "real_parent");
  std::uint64_t task = pm_bpf_copy_task(copy_.get());
  constexpr int kMaxDepth = 10'000;
  for (int depth = 0; parent && depth < kMaxDepth; ++depth) {
    const auto next = pointer(task + *parent);
    if (!next) break;
    if (*next == task) {
      variables_["init_task"] = task;
      return {};
    }
    task = *next;
  }
  return unknown("the first task is not known");
}

/// The kernel's text of VMCOREINFO. /sys has its physical address: "0x0000000100c66000 1024".
Result<std::string> BpfKernel::vmcoreinfo(int sys) {
  ReadBuffer text;
  if (read_at(sys, "kernel/vmcoreinfo", text) != Access::kRead)
    return unknown("/sys/kernel/vmcoreinfo cannot be read");
  TextCursor line(text.text());
  if (!line.skip("0x")) return unknown("/sys/kernel/vmcoreinfo: expected an address");
  const auto physical = line.number(16);
  std::string note(static_cast<std::size_t>(page_size_), '\0');
  if (!physical || !is_ram(*physical / page_size_) ||
      !pm_bpf_copy_read(copy_.get(), direct_ + *physical, note.data(), note.size()))
    return unknown("VMCOREINFO cannot be read");
  const std::size_t begin = note.find("OSRELEASE=");
  if (begin == std::string::npos) return unknown("VMCOREINFO was not found at its address");
  return note.substr(begin, note.find('\0', begin) - begin);
}

/// The root of the unified hierarchy is where the first task is.
void BpfKernel::find_cgroup_root() {
  const auto root =
      follow(variables_["init_task"],
             {{"task_struct", "cgroups"}, {"css_set", "dfl_cgrp"}, {"cgroup", "root"}});
  if (root) variables_["cgrp_dfl_root"] = *root;
}

/// A line of VMCOREINFO: "SYMBOL(_stext)=ffffffff9a000000", "NUMBER(pgtable_l5_enabled)=1".
void BpfKernel::take_line(std::string_view line) {
  TextCursor entry(line);
  if (entry.skip("SYMBOL(")) {
    const std::string name(entry.until(')'));
    const auto address = entry.skip('=') ? entry.number(16) : std::nullopt;
    if (address) variables_[name] = *address;
  } else if (entry.skip("NUMBER(pgtable_l5_enabled)=")) {
    constexpr std::uint64_t kFourLevels = 39, kFiveLevels = 48;  // arch/x86, PGDIR_SHIFT
    set_constant("pgdir_shift", 0, 0, entry.number(10) == 1 ? kFiveLevels : kFourLevels);
  }
}

Status BpfKernel::find_variables(int sys) {
  const Result<std::string> info = vmcoreinfo(sys);
  if (!info) return info.error();
  constants_.assign(info->begin(), info->end());
  constants_.resize((info->size() / 8 + 2) * 8);
  set_constant("vmcoreinfo_data", 0, 0, kConstants);
  for (TextCursor lines(*info); !lines.at_end();) take_line(lines.line());
  const auto tables = variables_.find("swapper_pg_dir");
  const auto pgd = offset("mm_struct", "pgd");
  if (tables == variables_.end() || !pgd || !variables_.contains("init_uts_ns"))
    return unknown("VMCOREINFO lacks swapper_pg_dir or init_uts_ns");
  set_constant("init_mm", 0, static_cast<std::size_t>(*pgd), tables->second);
  set_constant("vmemmap_base", 0, 0, first_page_);
  set_constant("totalram_pages", 0, 0, frames_of(map_));
  set_constant("max_pfn", 0, 0, map_.empty() ? 0 : map_.back().end);
  set_constant("nr_swapfiles", 0, 0, swap_devices_);
  if (const std::uint64_t pfn = zero_frame(tree_, static_cast<std::size_t>(page_size_)); pfn != 0)
    set_constant("zero_pfn", 0, 0, pfn);
  set_constant("shadow_timekeeper", types_->size_of("timekeeper"), 0, 0);
  end_constants();
  return {};
}

/// The kernel's code and data follow each other as they do in RAM.
Status BpfKernel::find_image() {
  constexpr std::uint64_t kAligned = std::uint64_t{2} << 20;
  const auto code = variables_.find("_stext");
  const auto first = std::find_if(map_.begin(), map_.end(), is_of_image);
  const auto last = std::find_if(map_.rbegin(), map_.rend(), is_of_image);
  if (code == variables_.end()) return unknown("VMCOREINFO lacks _stext");
  if (first == map_.end()) return unknown("/proc/iomem does not show the kernel's image");
  image_.begin = code->second / kAligned * kAligned;
  image_frame_ = first->begin * page_size_ / kAligned * kAligned / page_size_;
  image_.end = image_.begin + (last->end - image_frame_) * page_size_;
  return {};
}

Status BpfKernel::find(int sys) {
  const auto flags = offset("page", "flags");
  const auto type = offset("page", "page_type");
  const auto list = offset("slab", "freelist");
  const auto old_list = offset("page", "freelist");
  if (!flags || !type || (!list && !old_list)) return unknown("struct page is not supported");
  flags_at_ = *flags;
  type_at_ = *type;
  freelist_at_ = list ? *list : *old_list;
  slab_type_ = types_->enumerator("PGTY_slab").value_or(0);
  const auto slab = types_->enumerator("PG_slab");
  slab_flag_ = slab ? std::uint64_t{1} << *slab : 0;
  if (Status status = find_struct_pages(); !status) return status;
  if (Status status = find_direct_map(); !status) return status;
  if (Status status = find_variables(sys); !status) return status;
  if (Status status = find_image(); !status) return status;
  if (Status status = find_first_task(); !status) return status;
  find_cgroup_root();
  find_name_maker();
  types_ = nullptr;
  return {};
}

/// Without addresses (no CAP_SYSLOG) functions have no names.
std::string BpfKernel::read_symbols() {
  if (!with_functions_) return "";
  symbols_ = KernelSymbols::read(tree_, layout_symbols());
  // Without the variables of the kernel (no CONFIG_KALLSYMS_ALL).
  const std::uint64_t huge_zero = symbols_.address("huge_zero_pfn") ? 0 : huge_zero_frame(tree_);
  if (huge_zero != 0) set_constant("huge_zero_pfn", 0, 0, huge_zero);
  end_constants();
  return "";
}

/// What forbids it, as the kernel's error alone does not tell.
std::string reason_of(int error, const ProcTree& tree, int sys) {
  ReadBuffer lockdown;
  if (error == -ENOSYS) return "this kernel has no bpf() (CONFIG_BPF_SYSCALL)";
  const std::uint64_t own = effective_capabilities(tree);
  if ((own & kCapSysAdmin) == 0 && (own & (kCapBpf | kCapPerfmon)) != (kCapBpf | kCapPerfmon))
    return "CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN, are required";
  if (read_at(sys, "kernel/security/lockdown", lockdown) == Access::kRead &&
      lockdown.text().find("[confidentiality]") != std::string_view::npos)
    return "lockdown=confidentiality forbids reading kernel memory";
  return error == -EPERM ? "bpf() is forbidden here, as in a container" : "";
}

}  // namespace

Result<BpfCopy> open_bpf_copy(const ProcTree& tree, int sys) {
  std::array<char, 256> why{};
  pm_bpf_copy* copy = nullptr;
  const int error = pm_bpf_copy_open(&copy, PM_COPY_PREEMPTIBLE, why.data(), why.size());
  if (error == 0) return BpfCopy(copy);
  const std::string reason = reason_of(error, tree, sys);
  return unknown(reason.empty() ? why.data() : reason + " (" + why.data() + ")");
}

Result<std::unique_ptr<KernelSource>> open_bpf_kernel(BpfCopy copy, const ProcTree& tree, int sys,
                                                      const KernelTypes& types,
                                                      const std::vector<FrameSpan>& map,
                                                      std::uint64_t page_size,
                                                      std::uint64_t swap_devices,
                                                      bool with_functions) {
  auto kernel = std::make_unique<BpfKernel>(std::move(copy), tree, types, map, page_size,
                                            swap_devices, with_functions);
  if (Status status = kernel->find(sys); !status) return status.error();
  return std::unique_ptr<KernelSource>(std::move(kernel));
}

}  // namespace physmem::collect
