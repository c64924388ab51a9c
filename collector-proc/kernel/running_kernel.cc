// SPDX-License-Identifier: MIT
#include "collector-proc/kernel/running_kernel.h"

#include <malloc.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <utility>

#include "collector-proc/counters_reader.h"
#include "collector-proc/kernel/bpf_kernel.h"
#include "collector-proc/kernel/kcore_kernel.h"
#include "collector-proc/kernel/kernel_source.h"
#include "collector-proc/kernel/kernel_types.h"
#include "collector-proc/ram/frame_class.h"
#include "collector-proc/stat_reader.h"
#include "program/deleter.h"
#include "program/signals.h"

extern "C" {
#include "kernel-image/process_walk.h"
#include "kernel-image/ram_walk.h"
#include "kernel-image/vma_walk.h"
}

namespace physmem::collect {
namespace {

/// More than the types of any kernel.
constexpr off_t kMaxTypes = off_t{64} << 20;

std::optional<KernelTypes> read_types(int sys) {
  const UniqueFd file = open_at(sys, "kernel/btf/vmlinux");
  struct stat facts {};
  if (!file || ::fstat(file.get(), &facts) != 0 || facts.st_size > kMaxTypes) return std::nullopt;
  ReadBuffer buffer;
  buffer.reserve(static_cast<std::size_t>(facts.st_size) + 1);  // one more to find the end
  if (buffer.fill(file.get()) != Access::kRead) return std::nullopt;
  return KernelTypes::parse(buffer.take());
}

/// Whether the tree has the process ids that the kernel's memory has: those of the first PID
/// namespace, where process 2 is a thread of the kernel (kthreadd).
bool has_kernel_ids(const ProcTree& tree) {
  ReadBuffer buffer;
  if (read_record_at(tree.fd(), "2/stat", buffer) != Access::kRead) return false;
  const auto stat = parse_stat(buffer.text());
  return stat && stat->is_kernel_thread();
}

std::uint64_t read_swap_devices(const ProcTree& tree) {
  ReadBuffer swaps;
  const bool has_swaps = read_at(tree.fd(), "swaps", swaps) == Access::kRead;
  return has_swaps ? count_swap_devices(swaps.text()) : 0;
}

/// What of this tree does not belong to the kernel's memory; empty: it may be used.
std::string why_not(const ProcTree& tree, Source by) {
  if (by == Source::kBpf && tree.is_copy())
    return "BPF reads the running kernel, and " + tree.name() + " is a copy of /proc";
  if (!tree.is_copy() && !has_kernel_ids(tree))
    return "the kernel's memory has other process ids than " + tree.name() +
           ", which shows a container's: run it with the machine's ids (--pid=host), or use "
           "--source=proc --ram=proc";
  return "";
}

}  // namespace

/// The interface of kernel-image/dump.h.
class RunningKernel::Image {
 public:
  Image(std::unique_ptr<KernelSource> source, KernelTypes types, std::uint64_t page_size)
      : source_(std::move(source)), types_(std::move(types)) {
    dump_.self = this;
    dump_.page_size = page_size;
    dump_.read = [](void* self, pm_space space, __u64 at, void* to, size_t len) {
      KernelSource& memory = *of(self).source_;
      return space == PM_PHYSICAL ? memory.read_physical(at, to, len)
                                  : memory.read_virtual(at, to, len);
    };
    dump_.list_bytes = source_->list_bytes();
    if (dump_.list_bytes)
      dump_.read_list = [](void* self, pm_item* items, size_t n) {
        of(self).source_->read_list(items, n);
      };
    if (source_->has_gate()) use_gate();
    use_types();
    dump_.symbol = [](void* self, const char* name, __u64* address) {
      const auto found = of(self).source_->address(name);
      if (found) *address = *found;
      return found.has_value();
    };
    dump_.name_of = [](void* self, __u64 address, char* to, size_t room) {
      const auto name = of(self).source_->name_of(address);
      if (!name || name->size() >= room) return false;
      *std::copy(name->begin(), name->end(), to) = '\0';
      return true;
    };
    dump_.page_of = [](void* self, __u64 pfn) { return __u64{of(self).page_of(pfn)}; };
    dump_.is_interrupted = [](void*) { return interrupted(); };
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() {
    pm_ram_walk_close(walk_);
    pm_image_close(&image_);
  }

  /// Empty, or why this kernel is not supported.
  std::string open() {
    std::array<char, 256> why{};
    if (!pm_layout_find_types(&layout_, &dump_, why.data(), why.size())) return why.data();
    types_.reset();
    if (std::string why_not = source_->read_symbols(); !why_not.empty()) return why_not;
    if (!pm_layout_find_symbols(&layout_, &dump_, why.data(), why.size())) return why.data();
    if (!pm_image_open(&image_, &dump_, &layout_, why.data(), why.size())) return why.data();
    utsname names{};
    if (::uname(&names) == 0 && std::string_view(names.release) != image_.release)
      return "the kernel's release is not where its symbol says";
    first_page_ = find_first_page();
    if (first_page_ == 0) return "the place of the struct pages (vmemmap) is not known";
    if (!pm_page_types_find(&page_types_, &image_)) return "the types of pages are not known";
    knows_types_ = true;
    if (layout_.at.special_mapping_name == 0) find_special_mappings();
    pm_memory_renew(&image_.memory);  // what could not be read yet
#ifdef __GLIBC__
    ::malloc_trim(0);  // what was freed would appear in the snapshot
#endif
    // The pages of the cache exist from now on, so that the walk itself takes no memory between the
    // kernel's totals before and after it.
    pm_memory_renew(&image_.memory);
    return has_zero_page() ? "" : "the struct page of the zero page is not marked reserved";
  }

  pm_image& image() {
    return image_;
  }
  const pm_image& image() const {
    return image_;
  }
  bool has_symbols() const { return source_->has_symbols(); }
  pm_ram_walk* walk() {
    return walk_;
  }
  int open_walk() {
    pm_ram_walk_close(walk_);
    pm_memory_renew(&image_.memory);
    return pm_ram_walk_open(&walk_, &image_, &page_types_);
  }

 private:
  void use_gate() {
    dump_.needs_tables = [](void* self, __u64 at) {
      const KernelSource& memory = *of(self).source_;
      return !memory.is_plain(at, 1) && !memory.frame_at(at);
    };
    dump_.page_at = [](void* self, __u64 at) {
      const auto pfn = of(self).source_->frame_at(at);
      return pfn ? __u64{of(self).page_of(*pfn)} : 0;
    };
    dump_.may_read = [](void* self, __u64 at) { return of(self).may_read(at); };
    dump_.direct_map = source_->virtual_of(0);
  }
  void use_types() {
    dump_.member = [](void* self, const char* type, const char* name, pm_field* field) {
      const auto member = of(self).types_->member(type, name);
      *field = member ? pm_field{member->offset, member->size} : pm_field{-1, 0};
      return member.has_value();
    };
    dump_.size_of = [](void* self, const char* type) { return of(self).types_->size_of(type); };
    dump_.length_of = [](void*, const char*) { return size_t{0}; };
    dump_.enumerator = [](void* self, const char* name, __u64* value) {
      const auto number = of(self).types_->enumerator(name);
      if (number) *value = *number;
      return number.has_value();
    };
  }
  static Image& of(void* self) {
    return *static_cast<Image*>(self);
  }

  /// Other addresses than those of the direct map are translated before (needs_tables). Contents
  /// of frames only after the types of pages are known.
  bool may_read(std::uint64_t at) {
    const std::uint64_t page = at - at % PM_BLOCK;
    if (source_->is_plain(page, PM_BLOCK)) return true;
    const auto pfn = source_->frame_at(page);
    return pfn && knows_types_ && pm_is_kernel_frame(&image_, &page_types_, *pfn);
  }

  /// SPARSEMEM_VMEMMAP: all struct pages are one array.
  std::uint64_t find_first_page() const {
    std::uint64_t base = 0;
    if (layout_.at.vmemmap != 0 && source_->read_virtual(layout_.at.vmemmap, &base, sizeof base))
      return base;
    return 0;
  }
  /// The function that names areas like the vDSO, by that of this process.
  void find_special_mappings() {
    const std::uint64_t vdso = ::getauxval(AT_SYSINFO_EHDR), task = source_->own_task();
    const std::uint64_t space = task == 0 ? 0 : PM_GET(&image_, task, task_mm);
    if (vdso == 0 || space == 0) return;
    pm_areas areas{};
    pm_find_areas(&image_, space, &areas);
    for (const std::uint64_t area : std::span(areas.at, areas.n))
      if (PM_GET(&image_, area, vma_start) == vdso)
        layout_.at.special_mapping_name = PM_GET(&image_, PM_GET(&image_, area, vma_ops), ops_name);
    pm_free_areas(&areas);
  }
  /// Whether the zero page is where it must be. It is reserved, and no free block or folio.
  bool has_zero_page() {
    pm_ram_facts facts;
    return image_.zero_pfn == PM_NONE ||
           (pm_find_ram_facts(&image_, &page_types_, image_.zero_pfn, &facts) &&
            facts.class_ == PM_RAM_ZERO);
  }
  std::uint64_t page_of(std::uint64_t pfn) const {
    return first_page_ == 0 ? 0 : first_page_ + pfn * layout_.page_struct;
  }

  std::unique_ptr<KernelSource> source_;
  std::optional<KernelTypes> types_;  ///< until the layout is known
  pm_dump dump_{};
  pm_layout layout_{};
  pm_image image_{};
  pm_page_types page_types_{};
  pm_ram_walk* walk_ = nullptr;
  std::uint64_t first_page_ = 0;
  bool knows_types_ = false;
};

RunningKernel::RunningKernel(std::unique_ptr<Image> image, Source by, std::vector<FrameSpan> map,
                             std::uint64_t swap_devices)
    : image_(std::move(image)), by_(by), map_(std::move(map)), swap_devices_(swap_devices) {}
RunningKernel::~RunningKernel() = default;

bool RunningKernel::is_current(const ProcTree& tree, const std::vector<FrameSpan>& map) const {
  return map == map_ && read_swap_devices(tree) == swap_devices_;
}

Result<std::unique_ptr<RunningKernel>> RunningKernel::open(const ProcTree& tree, int sys,
                                                           std::uint64_t page_size, Source by,
                                                           const std::vector<FrameSpan>& map,
                                                           bool with_ram) {
  if (std::string why = why_not(tree, by); !why.empty())
    return Error{Error::Kind::kUsage, std::move(why)};
  // The types come last: they take longer than to find that a source is forbidden.
  Result<std::unique_ptr<KernelSource>> source = std::unique_ptr<KernelSource>();
  if (by == Source::kKcore) source = open_kcore_kernel(tree);
  if (!source) return source.error();
  Result<BpfCopy> copy = by == Source::kBpf ? open_bpf_copy(tree, sys) : BpfCopy();
  if (!copy) return copy.error();
  auto types = read_types(sys);
  if (!types)
    return Error{Error::Kind::kIo,
                 "/sys/kernel/btf/vmlinux: found no BTF (a kernel without CONFIG_DEBUG_INFO_BTF)"};
  const std::uint64_t swap_devices = read_swap_devices(tree);
  if (by == Source::kBpf)
    source = open_bpf_kernel(std::move(*copy), tree, sys, *types, map, page_size, swap_devices,
                             with_ram);
  if (!source) return source.error();
  auto image = std::make_unique<Image>(std::move(*source), std::move(*types), page_size);
  if (const std::string why = image->open(); !why.empty())
    return Error{Error::Kind::kIo,
                 (by == Source::kKcore ? tree.path("kcore") : "BPF") + ": " + why};
  return std::unique_ptr<RunningKernel>(new RunningKernel(std::move(image), by, map, swap_devices));
}

namespace {

using Walk = std::unique_ptr<pm_process_walk, Deleter<pm_process_walk_close>>;
using Tasks = std::unique_ptr<pm_tasks, Deleter<pm_free_tasks>>;

/// A list that changes while it is followed may lead nowhere: it is followed again.
int find_tasks(pm_image& image, pm_tasks& tasks) {
  constexpr int kTries = 3;
  int error = 0;
  for (int i = 0; i < kTries; ++i) {
    pm_free_tasks(&tasks);
    pm_memory_renew(&image.memory);
    image.notes = {};
    error = pm_find_tasks(&image, &tasks);
    if (error == -EINTR || error == -ENOMEM || (error == 0 && image.notes.corrupt == 0)) break;
  }
  return error;
}

bool is_chosen(const std::vector<Pid>& pids, const pm_process& process) {
  return pids.empty() || std::binary_search(pids.begin(), pids.end(), process.tasks->tgid);
}

}  // namespace

RunningKernel::Unread RunningKernel::unread() const {
  const pm_notes& notes = image_->image().notes;
  return {notes.space_changed, notes.corrupt};
}

bool RunningKernel::has_symbols() const {
  return image_->has_symbols();
}

std::uint64_t RunningKernel::phys_mask() const {
  return image_->image().tables.phys_mask;
}

Status RunningKernel::write_processes(const Scope& scope, const std::vector<Pid>& pids, pm_out& out,
                                      pm_end& totals, const Around& around) {
  pm_image& image = image_->image();
  pm_tasks list{};
  const Tasks tasks(&list);
  int error = find_tasks(image, list);
  pm_process_options options{};
  options.out = &out;
  options.end = &totals;
  options.without_pages = !scope.with_pages;
  options.with_tables = scope.ram != Scope::Ram::kNone;
  options.is_live = true;
  options.stopped = [](void*) { return interrupted() ? -EINTR : 0; };
  options.unread = [](void* self, __u64 tgid) { static_cast<const Around*>(self)->unread(tgid); };
  options.self = const_cast<Around*>(&around);
  pm_process_walk* opened = nullptr;
  if (error == 0) error = pm_process_walk_open(&opened, &image, &options);
  const Walk walk(opened);
  for (std::size_t i = 0; i < list.n && error == 0;) {
    const pm_process process = pm_process_at(&list, i);
    i += process.n;
    if (!is_chosen(pids, process)) continue;
    const Pid pid = process.tasks->tgid;
    if (Status status = around.before(pid, i, list.n); !status) return status;
    // The kernel's own counts, before and after, are of this time.
    if (scope.with_witnesses) pm_memory_renew_pages(&image.memory);
    const pm_notes notes = image.notes;
    error = pm_write_process(walk.get(), &process);
    if (error != 0) break;
    if (Status status = around.after(image.notes.poisoned - notes.poisoned,
                                     image.notes.migrating - notes.migrating);
        !status)
      return status;
  }
  if (error == -ENOMEM) return io_error("describe the processes", ENOMEM);
  if (error == -ENODATA) return Error{Error::Kind::kIo, "the kernel's list of tasks is not known"};
  pm_emit_notes(&out, &image.notes);
  return {};  // after a signal, or an error of the output, the writer says so
}

Status RunningKernel::read_lists() {
  const int error = image_->open_walk();
  if (error == -ENOMEM) return io_error("read the kernel's lists", ENOMEM);
  return {};  // after a signal write_ram() ends at once
}

Status RunningKernel::write_ram(const std::vector<FrameSpan>& map, std::uint64_t owners,
                                pm_out& out, const std::function<Status()>& go_on) {
  std::vector<pm_frame_span> spans;
  spans.reserve(map.size());
  for (const FrameSpan& span : map)
    spans.push_back({span.begin, span.end, class_of_reserved(span.kind)});
  struct Stop {
    const std::function<Status()>& go_on;
    pm_image& image;
    Status status = {};
  } stop{go_on, image_->image()};
  const auto ask = [](void* self) {
    Stop& asked = *static_cast<Stop*>(self);
    pm_memory_renew(&asked.image.memory);
    asked.status = asked.go_on();
    return asked.status ? 0 : -EINTR;
  };
  if (image_->walk() == nullptr) return go_on();  // interrupted
  pm_ram_walk_set_owners(image_->walk(), owners);
  const int error = pm_ram_walk_write(image_->walk(), spans.data(), spans.size(), &out, ask, &stop);
  if (error == -ENOMEM) return io_error("describe the frames", ENOMEM);
  return stop.status;
}

}  // namespace physmem::collect
