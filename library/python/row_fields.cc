// SPDX-License-Identifier: MIT
#include "library/python/row_fields.h"

#include <array>
#include <vector>

namespace physmem_python {
namespace {

using namespace physmem;

constexpr const char* kUss = "unique: frames that no other process maps; None if not known";
constexpr const char* kPss = "proportional pages; None if not all pages are listed";
constexpr const char* kRss = "resident pages";
constexpr const char* kSwap = "swapped pages";
constexpr const char* kVss = "pages of address space; None if not permitted to read";
constexpr const char* kUnread = "processes that pss, the sum of the others, does not have";
constexpr const char* kProcesses = "processes";
constexpr const char* kThreads = "threads";
constexpr const char* kMajor = "major number of the file's device";
constexpr const char* kMinor = "minor number of the file's device";
constexpr const char* kInode = "inode of the file";

const std::array kProcessFields{
    Field<ProcessRow>{"pid", &ProcessRow::pid, "thread-group id"},
    Field<ProcessRow>{"name", &ProcessRow::name, "command"},
    Field<ProcessRow>{"uid", &ProcessRow::uid, "user id"},
    Field<ProcessRow>{"cgroup", &ProcessRow::cgroup, "path of the cgroup"},
    Field<ProcessRow>{"threads", &ProcessRow::threads, kThreads},
    Field<ProcessRow>{"uss", &ProcessRow::uss, kUss},
    Field<ProcessRow>{"pss", &ProcessRow::pss, kPss},
    Field<ProcessRow>{"rss", &ProcessRow::rss, kRss},
    Field<ProcessRow>{"swap", &ProcessRow::swap, kSwap},
    Field<ProcessRow>{"vss", &ProcessRow::vss, kVss},
    Field<ProcessRow>{"stack", &ProcessRow::stack, "resident pages of stacks"},
    Field<ProcessRow>{"heap", &ProcessRow::heap, "resident pages of the heap"},
    Field<ProcessRow>{"app_bss", &ProcessRow::app_bss, "resident pages of the program's bss"},
    Field<ProcessRow>{"app_data", &ProcessRow::app_data, "resident pages of the program's data"},
    Field<ProcessRow>{"app_text", &ProcessRow::app_text, "resident pages of the program's text"},
    Field<ProcessRow>{"lib_bss", &ProcessRow::lib_bss, "resident pages of libraries' bss"},
    Field<ProcessRow>{"lib_data", &ProcessRow::lib_data, "resident pages of libraries' data"},
    Field<ProcessRow>{"lib_text", &ProcessRow::lib_text, "resident pages of libraries' text"},
    Field<ProcessRow>{"mapped_file", &ProcessRow::mapped_file, "resident pages of other files"},
    Field<ProcessRow>{"shared_memory", &ProcessRow::shared_memory,
                      "resident pages of shared memory"},
    Field<ProcessRow>{"special", &ProcessRow::special,
                      "pages outside of Rss: zero page, hugetlb, device memory"},
    Field<ProcessRow>{"unexplained", &ProcessRow::unexplained, "resident pages of no other use"},
};

const std::array kAreaFields{
    Field<AreaRow>{"pid", &AreaRow::pid, "thread-group id"},
    Field<AreaRow>{"process", &AreaRow::process, "index in Snapshot.processes"},
    Field<AreaRow>{"start", &AreaRow::start, "address of the first byte"},
    Field<AreaRow>{"last", &AreaRow::last, "address of the last byte"},
    Field<AreaRow>{"permissions", +[](const AreaRow& row) { return row.permissions(); },
                   "as in /proc/PID/maps: rw-p"},
    Field<AreaRow>{"flags", &AreaRow::flags, "bits of AreaFlag"},
    Field<AreaRow>{"offset", &AreaRow::offset, "of start in the file, bytes"},
    Field<AreaRow>{"device_major", &AreaRow::device_major, kMajor},
    Field<AreaRow>{"device_minor", &AreaRow::device_minor, kMinor},
    Field<AreaRow>{"inode", &AreaRow::inode, kInode},
    Field<AreaRow>{"unit", &AreaRow::unit, "path or label, also of the file of a bss"},
    Field<AreaRow>{"file_region", &AreaRow::file_region, "use of its file pages"},
    Field<AreaRow>{"anon_region", &AreaRow::anon_region, "use of its anonymous pages"},
    Field<AreaRow>{"uss", &AreaRow::uss, kUss},
    Field<AreaRow>{"pss", &AreaRow::pss, kPss},
    Field<AreaRow>{"rss", +[](const AreaRow& row) { return row.rss(); }, kRss},
    Field<AreaRow>{"file_pages", &AreaRow::file_pages, "of rss: pages of the file"},
    Field<AreaRow>{"anon_pages", &AreaRow::anon_pages, "of rss: anonymous pages"},
    Field<AreaRow>{"special_pages", &AreaRow::special_pages, "pages outside of Rss"},
    Field<AreaRow>{"swap", &AreaRow::swap, kSwap},
    Field<AreaRow>{"vss", &AreaRow::vss, kVss},
};

const std::array kUnitFields{
    Field<UnitRow>{"path", &UnitRow::path, "path of the file"},
    Field<UnitRow>{"device_major", &UnitRow::device_major, kMajor},
    Field<UnitRow>{"device_minor", &UnitRow::device_minor, kMinor},
    Field<UnitRow>{"inode", &UnitRow::inode, kInode},
    Field<UnitRow>{"bss", &UnitRow::bss, "frames of its bss"},
    Field<UnitRow>{"data", &UnitRow::data, "frames of its data"},
    Field<UnitRow>{"text", &UnitRow::text, "frames of its text"},
    Field<UnitRow>{"frames", &UnitRow::frames, "frames of all three"},
    Field<UnitRow>{"processes", &UnitRow::processes, "processes that map it"},
    Field<UnitRow>{"uss", &UnitRow::uss, kUss},
    Field<UnitRow>{"pss", &UnitRow::pss, kPss},
    Field<UnitRow>{"rss", &UnitRow::rss, "resident pages, summed over processes"},
};

const std::array kMappingFields{
    Field<MappingRow>{"name", &MappingRow::name, "file, or kind of memory: [heap], [anon]"},
    Field<MappingRow>{"processes", &MappingRow::processes, "processes that map it"},
    Field<MappingRow>{"uss", &MappingRow::uss, kUss},
    Field<MappingRow>{"pss", &MappingRow::pss, kPss},
    Field<MappingRow>{"rss", &MappingRow::rss, kRss},
    Field<MappingRow>{"swap", &MappingRow::swap, kSwap},
    Field<MappingRow>{"vss", &MappingRow::vss, kVss},
};

const std::array kUserFields{
    Field<UserRow>{"uid", &UserRow::uid, "user id; None: unknown"},
    Field<UserRow>{"processes", &UserRow::processes, kProcesses},
    Field<UserRow>{"threads", &UserRow::threads, kThreads},
    Field<UserRow>{"unread", &UserRow::unread, kUnread},
    Field<UserRow>{"uss", &UserRow::uss, kUss},
    Field<UserRow>{"pss", &UserRow::pss, kPss},
    Field<UserRow>{"rss", &UserRow::rss, kRss},
    Field<UserRow>{"swap", &UserRow::swap, kSwap},
    Field<UserRow>{"vss", &UserRow::vss, kVss},
};

const std::array kCgroupFields{
    Field<CgroupRow>{"path", &CgroupRow::path, "path of the cgroup"},
    Field<CgroupRow>{"processes", &CgroupRow::processes, kProcesses},
    Field<CgroupRow>{"threads", &CgroupRow::threads, kThreads},
    Field<CgroupRow>{"unread", &CgroupRow::unread, kUnread},
    Field<CgroupRow>{"uss", &CgroupRow::uss, kUss},
    Field<CgroupRow>{"pss", &CgroupRow::pss, kPss},
    Field<CgroupRow>{"rss", &CgroupRow::rss, kRss},
    Field<CgroupRow>{"swap", &CgroupRow::swap, kSwap},
    Field<CgroupRow>{"vss", &CgroupRow::vss, kVss},
};

const std::array kRegionFields{
    Field<RegionRow>{"name", &RegionRow::name, "use of pages: library text"},
    Field<RegionRow>{"frames", &RegionRow::frames, "distinct frames; None without pages"},
    Field<RegionRow>{"rss", &RegionRow::rss, "resident pages, summed over processes"},
};

const std::array kLedgerFields{
    Field<LedgerRow>{"name", &LedgerRow::name, "class of frames"},
    Field<LedgerRow>{"pages", &LedgerRow::pages, "frames"},
    Field<LedgerRow>{"owned", &LedgerRow::owned,
                     "frames with a known owner; None: frames of this class have no owners"},
};

const std::array kOwnerFields{
    Field<FrameOwnerRow>{"kind", &FrameOwnerRow::kind, "file, slab, cgroup, task, code, other"},
    Field<FrameOwnerRow>{"name", &FrameOwnerRow::name, "path, cache, command, symbol"},
    Field<FrameOwnerRow>{"pages", &FrameOwnerRow::pages, "frames"},
    Field<FrameOwnerRow>{"mapped", &FrameOwnerRow::mapped, "of them, mapped by a process"},
    Field<FrameOwnerRow>{"dirty", &FrameOwnerRow::dirty, "of them, dirty"},
    Field<FrameOwnerRow>{"active", &FrameOwnerRow::active, "of them, active"},
    Field<FrameOwnerRow>{"file_system", &FrameOwnerRow::file_system, "of a file: ext4"},
    Field<FrameOwnerRow>{"device_major", &FrameOwnerRow::device_major, kMajor},
    Field<FrameOwnerRow>{"device_minor", &FrameOwnerRow::device_minor, kMinor},
    Field<FrameOwnerRow>{"inode", &FrameOwnerRow::inode, kInode},
    Field<FrameOwnerRow>{"number", &FrameOwnerRow::number, "id of a cgroup, pid of a task"},
    Field<FrameOwnerRow>{"state", &FrameOwnerRow::state, "deleted, dying or empty"},
};

const std::array kCounterFields{
    Field<CounterRow>{"name", &CounterRow::name, "mem.MemFree_kB, vm.pgfault, …; or of a note"},
    Field<CounterRow>{"value", &CounterRow::value, "value of the counter"},
};

/// The row's own fields and the fields of ChangeSums.
template <class Row>
std::vector<Field<Row>> with_sums(std::vector<Field<Row>> fields) {
  fields.insert(fields.end(),
                {{"before", &Row::before, "resident pages before"},
                 {"after", &Row::after, "resident pages after"},
                 {"change", +[](const Row& row) { return row.change(); }, "after - before"},
                 {"gained", &Row::gained, "pages that are resident now, not before"},
                 {"lost", &Row::lost, "pages that were resident before, not now"},
                 {"moved", &Row::moved,
                  "pages that stayed, in another frame; None if not all pages are listed"},
                 {"to_private", &Row::to_private, "pages that stayed, and are private only now"},
                 {"copied", &Row::copied, "of to_private: copied on write"},
                 {"to_shared", &Row::to_shared, "pages that stayed, and were private only before"},
                 {"swap_before", &Row::swap_before, "swapped pages before"},
                 {"swap_after", &Row::swap_after, "swapped pages after"},
                 {"swap_change", +[](const Row& row) { return row.swap_change(); },
                  "swap_after - swap_before"}});
  return fields;
}

const auto kProcessChangeFields = with_sums<ProcessChangeRow>({
    {"pid", &ProcessChangeRow::pid, "thread-group id"},
    {"name", &ProcessChangeRow::name, "command"},
    {"name_before", &ProcessChangeRow::name_before, "command before, if it differs"},
    {"state", &ProcessChangeRow::state, "stayed, new, gone or exec"},
});

const auto kAreaChangeFields = with_sums<AreaChangeRow>({
    {"pid", &AreaChangeRow::pid, "thread-group id"},
    {"process", &AreaChangeRow::process, "index in Difference.processes"},
    {"start", &AreaChangeRow::start, "address of the first byte"},
    {"last", &AreaChangeRow::last, "address of the last byte"},
    {"region", &AreaChangeRow::region, "use of its pages"},
    {"unit", &AreaChangeRow::unit, "path or label"},
    {"state", &AreaChangeRow::state, "stayed, new or gone"},
});

const auto kUnitChangeFields = with_sums<UnitChangeRow>({
    {"unit", &UnitChangeRow::unit, "path of the file, or a kind of memory without one"},
    {"distinct_before", &UnitChangeRow::distinct_before, "distinct frames; None without pages"},
    {"distinct_after", &UnitChangeRow::distinct_after, "distinct frames; None without pages"},
});

const std::array kInfoFields{
    Field<SnapshotInfo>{"format_version", &SnapshotInfo::format_version, "version of the format"},
    Field<SnapshotInfo>{"architecture", &SnapshotInfo::architecture, "as uname -m prints it"},
    Field<SnapshotInfo>{"kernel", &SnapshotInfo::kernel, "release of the kernel"},
    Field<SnapshotInfo>{"collector", &SnapshotInfo::collector, "proc, kmod or crash"},
    Field<SnapshotInfo>{"host", &SnapshotInfo::host, "name of the machine; empty: unknown"},
    Field<SnapshotInfo>{"machine_id", &SnapshotInfo::machine_id,
                        "the same for all boots of a machine; empty: unknown"},
    Field<SnapshotInfo>{"boot_id", &SnapshotInfo::boot_id,
                        "differs for each boot of a machine; empty: unknown"},
    Field<SnapshotInfo>{"sequence", &SnapshotInfo::sequence, "number in its series, from 0"},
    Field<SnapshotInfo>{"page_size", &SnapshotInfo::page_size, "size of a page in bytes"},
    Field<SnapshotInfo>{"time_ns", &SnapshotInfo::time_ns, "nanoseconds since 1970, UTC"},
    Field<SnapshotInfo>{"uptime_ns", &SnapshotInfo::uptime_ns, "nanoseconds since boot"},
    Field<SnapshotInfo>{"ram_pages", &SnapshotInfo::ram_pages, "RAM that the kernel manages"},
    Field<SnapshotInfo>{"has_areas", &SnapshotInfo::has_areas, "False: only tasks and counters"},
    Field<SnapshotInfo>{"has_pages", &SnapshotInfo::has_pages,
                        "False: areas have only counts of pages"},
    Field<SnapshotInfo>{"has_ram", &SnapshotInfo::has_ram, "ledger and owners are known"},
    Field<SnapshotInfo>{"count_kind", &SnapshotInfo::count_kind,
                        "what counts of pages are: mappings, average or references"},
    Field<SnapshotInfo>{"processes", &SnapshotInfo::processes, "processes with an address space"},
    Field<SnapshotInfo>{"threads", &SnapshotInfo::threads, "threads of these processes"},
    Field<SnapshotInfo>{"kernel_threads", &SnapshotInfo::kernel_threads,
                        "threads without an address space"},
    Field<SnapshotInfo>{"user_pages", &SnapshotInfo::user_pages,
                        "distinct frames that processes map; None without pages"},
    Field<SnapshotInfo>{"ram_frames", &SnapshotInfo::ram_frames,
                        "frames of RAM, the sum of the ledger; None without has_ram"},
    Field<SnapshotInfo>{
        "has_more", &SnapshotInfo::has_more,
        "the file has further snapshots, which series() reads; only open() sets it"},
    Field<SnapshotInfo>{"is_complete", &SnapshotInfo::is_complete,
                        "False: data is missing; Snapshot.notes has the reasons"},
};

}  // namespace

template <>
std::span<const Field<ProcessRow>> fields_of() {
  return kProcessFields;
}
template <>
std::span<const Field<AreaRow>> fields_of() {
  return kAreaFields;
}
template <>
std::span<const Field<UnitRow>> fields_of() {
  return kUnitFields;
}
template <>
std::span<const Field<MappingRow>> fields_of() {
  return kMappingFields;
}
template <>
std::span<const Field<UserRow>> fields_of() {
  return kUserFields;
}
template <>
std::span<const Field<CgroupRow>> fields_of() {
  return kCgroupFields;
}
template <>
std::span<const Field<RegionRow>> fields_of() {
  return kRegionFields;
}
template <>
std::span<const Field<LedgerRow>> fields_of() {
  return kLedgerFields;
}
template <>
std::span<const Field<FrameOwnerRow>> fields_of() {
  return kOwnerFields;
}
template <>
std::span<const Field<CounterRow>> fields_of() {
  return kCounterFields;
}
template <>
std::span<const Field<ProcessChangeRow>> fields_of() {
  return kProcessChangeFields;
}
template <>
std::span<const Field<AreaChangeRow>> fields_of() {
  return kAreaChangeFields;
}
template <>
std::span<const Field<UnitChangeRow>> fields_of() {
  return kUnitChangeFields;
}
template <>
std::span<const Field<SnapshotInfo>> fields_of() {
  return kInfoFields;
}

}  // namespace physmem_python
