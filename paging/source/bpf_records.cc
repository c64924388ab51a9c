// SPDX-License-Identifier: MIT
#include "paging/source/bpf_records.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "paging/bpf/object.h"
#include "paging/bpf/paging_map.h"
#include "paging/source/bpf_programs.h"
#include "program/clock.h"
#include "program/deleter.h"

namespace physmem {
namespace {

using Object = std::unique_ptr<bpf_object, Deleter<bpf_object__close>>;
using Link = std::unique_ptr<bpf_link, Deleter<bpf_link__destroy>>;
using Ring = std::unique_ptr<ring_buffer, Deleter<ring_buffer__free>>;
using Btf = std::unique_ptr<btf, Deleter<btf__free>>;

// While events arrive; otherwise at each poll.
constexpr std::uint64_t kLookForMissesNs = 1'000'000'000;

/// The last message of libbpf, because its error codes have no details.
std::string last_words;

int keep_words(libbpf_print_level level, const char* format, va_list arguments) {
  if (level != LIBBPF_WARN) return 0;
  std::array<char, 512> text;
  std::vsnprintf(text.data(), text.size(), format, arguments);
  // The first message has the cause, later ones are consequences.
  if (last_words.empty()) last_words = text.data();
  return 0;
}

Error failed(const std::string& what, int error) {
  std::string text = "BPF: " + what + ": " + std::strerror(error < 0 ? -error : error);
  if (error == -EPERM || error == EPERM || error == EACCES || error == -EACCES)
    text += "; expected root, or CAP_BPF and CAP_PERFMON, and a kernel that is not locked down";
  last_words.erase(std::remove(last_words.begin(), last_words.end(), '\n'), last_words.end());
  if (!last_words.empty()) text += " (" + last_words + ")";
  return {Error::Kind::kIo, text};
}

/// Resolves typedefs and qualifiers.
const btf_type* resolved_type(const btf* kernel, __u32 id) {
  const btf_type* type = ::btf__type_by_id(kernel, id);
  while (type != nullptr && (::btf_is_mod(type) || ::btf_is_typedef(type)))
    type = ::btf__type_by_id(kernel, type->type);
  return type;
}

std::string name_of(const btf* kernel, const btf_type* type) {
  const char* const name = ::btf__name_by_offset(kernel, type->name_off);
  return name != nullptr ? name : "";
}

std::string type_text(const btf* kernel, __u32 id) {
  const btf_type* const type = resolved_type(kernel, id);
  if (type == nullptr) return "void";
  if (::btf_is_ptr(type)) return type_text(kernel, type->type) + " *";
  const bool is_struct = ::btf_is_struct(type) || ::btf_is_fwd(type);
  return (is_struct ? "struct " : "") + name_of(kernel, type);
}

std::optional<BpfArguments> arguments_of(const btf* kernel, std::string_view function) {
  const int id = ::btf__find_by_name_kind(kernel, std::string(function).c_str(), BTF_KIND_FUNC);
  const btf_type* const found =
      id > 0 ? ::btf__type_by_id(kernel, static_cast<__u32>(id)) : nullptr;
  const btf_type* const prototype =
      found != nullptr ? ::btf__type_by_id(kernel, found->type) : nullptr;
  if (prototype == nullptr || !::btf_is_func_proto(prototype)) return {};
  BpfArguments arguments;
  for (const btf_param& parameter : std::span(::btf_params(prototype), ::btf_vlen(prototype)))
    arguments.push_back(type_text(kernel, parameter.type));
  return arguments;
}

bool has_enumerator(const btf* kernel, const char* enumeration, std::string_view enumerator) {
  const int id = ::btf__find_by_name_kind(kernel, enumeration, BTF_KIND_ENUM);
  const btf_type* const type = id > 0 ? ::btf__type_by_id(kernel, static_cast<__u32>(id)) : nullptr;
  if (type == nullptr) return false;
  const std::span values(::btf_enum(type), ::btf_vlen(type));
  return std::any_of(values.begin(), values.end(), [=](const auto& value) {
    return enumerator == ::btf__name_by_offset(kernel, value.name_off);
  });
}

class BpfRecords : public RecordSource {
 public:
  Status open(const BpfOptions& options);

  ~BpfRecords() override {
    if (losses_ != nullptr) ::munmap(losses_, sizeof(pm_bpf_losses));
  }
  Result<Taken> take(std::span<pm_paging_record> into) override;
  int descriptor() const override { return ::ring_buffer__epoll_fd(ring_.get()); }
  const char* name() const override { return "bpf"; }
  std::string shortcomings() const override { return choice_.shortcomings(); }

 private:
  Status prepare(const BpfOptions& options);
  Status attach(const BpfProgram& program);
  Status try_to_open(const BpfOptions& options);
  bool leave_out_what_failed();
  static int on_record(void* self, void* data, std::size_t size);
  void note_losses();
  void note_misses();
  void put_loss(std::uint16_t cpu, std::uint64_t count);
  void put(const pm_paging_record& record) { into_[used_++] = record; }

  BpfKernel kernel_;
  std::set<std::string_view> left_out_;  // optional programs rejected by this kernel
  const BpfProgram* refused_ = nullptr;  // the last program that could not be attached
  BpfChoice choice_;
  std::vector<int> event_programs_;  // descriptors of programs that record an event
  std::uint64_t reported_misses_ = 0;
  std::uint64_t looked_for_misses_ns_ = 0;
  Object object_;
  std::vector<Link> links_;
  Ring ring_;
  pm_bpf_losses* losses_ = nullptr;
  std::array<std::uint64_t, PM_BPF_CPUS> reported_losses_ = {};  // losses already reported
  std::uint64_t sequence_ = 0;
  std::span<pm_paging_record> into_;
  std::size_t used_ = 0;
};

/// Opens the object with the chosen programs and their constants.
Status BpfRecords::prepare(const BpfOptions& options) {
  Result<BpfChoice> choice = choose_bpf_programs(kernel_, left_out_);
  if (!choice) return choice.error();
  choice_ = std::move(*choice);
  bpf_object_open_opts names = {};
  names.sz = sizeof(names);
  names.object_name = "physmem_paging";
  object_.reset(::bpf_object__open_mem(pm_bpf_object, pm_bpf_object_size(), &names));
  if (!object_) return failed("cannot open the program", errno);
  for (const BpfProgram& program : all_bpf_programs())
    if (bpf_program* const found = ::bpf_object__find_program_by_name(object_.get(), program.name))
      ::bpf_program__set_autoload(found, choice_.has(program.name));
  pm_bpf_settings settings{{}, options.excluded_tgid, choice_.is_swapin_reported};
  std::copy(choice_.arguments.begin(), choice_.arguments.end(), settings.arguments);
  bpf_map* const constants = ::bpf_object__find_map_by_name(object_.get(), ".rodata");
  const int error = constants == nullptr
                        ? -ENOENT
                        : ::bpf_map__set_initial_value(constants, &settings, sizeof(settings));
  if (error != 0) return failed("cannot set the program's constants", error);
  ::bpf_map__set_max_entries(::bpf_object__find_map_by_name(object_.get(), "ring"),
                             options.ring_bytes);
  return {};
}

Status BpfRecords::attach(const BpfProgram& program) {
  bpf_program* const found = ::bpf_object__find_program_by_name(object_.get(), program.name);
  Link link(::bpf_program__attach(found));
  if (!link) {
    refused_ = &program;
    return failed(std::string("cannot attach ") + ::bpf_program__section_name(found), errno);
  }
  links_.push_back(std::move(link));
  if (program.is_event()) event_programs_.push_back(::bpf_program__fd(found));
  return {};
}

Status BpfRecords::try_to_open(const BpfOptions& options) {
  last_words.clear();
  refused_ = nullptr;
  links_.clear();
  event_programs_.clear();
  if (Status status = prepare(options); !status) return status;
  if (const int error = ::bpf_object__load(object_.get()); error != 0)
    return failed("cannot load the program", error);
  for (const BpfProgram* program : choice_.programs)
    if (Status status = attach(*program); !status) return status;
  return {};
}

/// A function may be in the BTF but not be attachable. False if the failed program is not optional.
bool BpfRecords::leave_out_what_failed() {
  for (const BpfProgram* program : choice_.programs) {
    const bool is_named =
        last_words.find("'" + std::string(program->name) + "'") != std::string::npos;
    if (program->is_optional() && (refused_ == nullptr ? is_named : program == refused_))
      return left_out_.insert(program->name).second;
  }
  return false;
}

Status BpfRecords::open(const BpfOptions& options) {
  last_words.clear();
  ::libbpf_set_print(keep_words);
  const Btf kernel(::btf__load_vmlinux_btf());
  if (!kernel) return failed("no types of this kernel: /sys/kernel/btf/vmlinux", errno);
  kernel_ = {[&kernel](std::string_view function) { return arguments_of(kernel.get(), function); },
             has_enumerator(kernel.get(), "vm_event_item", "SWPOUT_ZERO")};
  Status status = try_to_open(options);
  while (!status && leave_out_what_failed()) status = try_to_open(options);
  kernel_ = {};
  if (!status) return status;
  ring_.reset(
      ::ring_buffer__new(::bpf_map__fd(::bpf_object__find_map_by_name(object_.get(), "ring")),
                         on_record, this, nullptr));
  if (!ring_) return failed("no ring", errno);
  // Mapped, because reading a map's values requires privileges that are dropped.
  const int sums = ::bpf_map__fd(::bpf_object__find_map_by_name(object_.get(), ".bss"));
  void* const mapped = ::mmap(nullptr, sizeof(pm_bpf_losses), PROT_READ, MAP_SHARED, sums, 0);
  if (mapped == MAP_FAILED) return failed("cannot map the counts of losses", errno);
  losses_ = static_cast<pm_bpf_losses*>(mapped);
  return {};
}

int BpfRecords::on_record(void* self, void* data, std::size_t size) {
  BpfRecords& records = *static_cast<BpfRecords*>(self);
  if (size >= sizeof(pm_paging_record)) {
    pm_paging_record record;
    std::memcpy(&record, data, sizeof(record));
    record.sequence = ++records.sequence_;
    records.put(record);
  }
  return records.used_ < records.into_.size() ? 0 : -ENOSPC;  // stops polling after this record
}

/// Event numbers skip the lost events.
void BpfRecords::put_loss(std::uint16_t cpu, std::uint64_t count) {
  pm_paging_record record = {};
  record.address = record.pfn = record.sector = record.service_ns = PM_PAGING_UNKNOWN;
  record.slot = count;
  record.cpu = cpu;
  record.kind = PM_PAGING_LOST;
  record.swap_type = PM_PAGING_NO_TYPE;
  record.time_ns = system_clock().now_ns();
  record.sequence = sequence_ + 1;
  sequence_ += count;
  put(record);
}

/// Losses of each CPU since the last report.
void BpfRecords::note_losses() {
  for (unsigned cpu = 0; cpu < PM_BPF_CPUS && used_ < into_.size(); ++cpu) {
    const std::uint64_t sum = __atomic_load_n(&losses_->of_cpu[cpu], __ATOMIC_RELAXED);
    if (sum == reported_losses_[cpu]) continue;
    put_loss(static_cast<std::uint16_t>(cpu), sum - reported_losses_[cpu]);
    reported_losses_[cpu] = sum;
  }
}

/// Calls that were missed because the program was already running on that CPU. Linux counts them
/// since 5.12. The first such kernels hide the count from unprivileged processes
/// (kernel.unprivileged_bpf_disabled); it is then taken as 0.
void BpfRecords::note_misses() {
  const std::uint64_t now = system_clock().now_ns();
  if ((used_ != 0 && now - looked_for_misses_ns_ < kLookForMissesNs) || used_ == into_.size())
    return;
  looked_for_misses_ns_ = now;
  std::uint64_t sum = 0;
  for (const int program : event_programs_) {
    bpf_prog_info info = {};
    __u32 size = sizeof(info);
    if (::bpf_obj_get_info_by_fd(program, &info, &size) == 0) sum += info.recursion_misses;
  }
  if (sum <= reported_misses_) return;
  put_loss(PM_PAGING_NO_CPU, sum - reported_misses_);
  reported_misses_ = sum;
}

Result<RecordSource::Taken> BpfRecords::take(std::span<pm_paging_record> into) {
  into_ = into;
  used_ = 0;
  if (into.empty()) return Taken{};
  const int taken = ::ring_buffer__consume(ring_.get());
  if (taken < 0 && taken != -ENOSPC && taken != -EAGAIN && taken != -EINTR)
    return failed("cannot read the ring", taken);
  note_losses();
  note_misses();
  return Taken{used_, false};
}

}  // namespace

Result<std::unique_ptr<RecordSource>> open_bpf_records(const BpfOptions& options) {
  auto records = std::make_unique<BpfRecords>();
  if (Status status = records->open(options); !status) return status.error();
  return std::unique_ptr<RecordSource>(std::move(records));
}

}  // namespace physmem
