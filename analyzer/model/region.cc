// SPDX-License-Identifier: MIT
#include "analyzer/model/region.h"

#include <algorithm>

#include "formats/emit/flags.h"

namespace physmem {
namespace {

constexpr std::uint64_t kPermissions = PM_VMA_READ | PM_VMA_WRITE | PM_VMA_EXEC;
constexpr std::uint64_t kMaxGuard = 32 << 10;  // or one page, if that is larger
/// Memory mapped directly after a library lies where its bss would, and merges with the bss into
/// one area. Few libraries have a bss of 256 KiB. Arenas of interpreters have that size and follow
/// their modules.
constexpr std::uint64_t kMaxLibraryBss = 256 << 10;
/// glibc's malloc arenas begin at multiples of this, and an arena's unused end looks like a guard.
constexpr std::uint64_t kArenaAlignment = 64 << 20;

/// Private mappings of such files do not count: programs can be run from memfd files.
bool is_shared_memory(const Vma& vma) {
  if (!vma.is(PM_VMA_SHARED)) return false;
  const std::string_view unit = vma.unit.text();
  for (const std::string_view prefix :
       {"/memfd:", "/dev/shm/", "/SYSV", "/dev/zero", "[anon_shmem:", "/dev/ashmem"})
    if (unit.starts_with(prefix)) return true;
  return unit.empty();
}

bool is_anonymous(const Vma& vma) {
  return vma.unit.empty() || vma.unit.starts_with("[anon:");
}

/// A file of which only device and inode are known.
bool is_nameless_file(const Vma& vma) {
  return vma.unit == "[name not in dump]" || vma.unit == "[path too long]";
}

bool is_label(const Vma& vma) {
  return vma.unit.starts_with('[') && !is_nameless_file(vma);
}

Region classify_label(const Vma& vma) {
  if (vma.unit.starts_with("[stack")) return Region::kStack;
  if (vma.unit.starts_with("[vvar") || vma.unit == "[vsyscall]") return Region::kSpecial;
  if (vma.is(PM_VMA_EXEC)) return Region::kLibText;
  return Region::kUnexplained;
}

}  // namespace

std::string_view name(Region region) {
  constexpr std::array<std::string_view, kRegions> kNames{
      "stack",       "heap",         "application bss", "application data", "application text",
      "library bss", "library data", "library text",    "mapped file",      "shared memory",
      "special",     "unexplained"};
  return kNames[static_cast<std::size_t>(region)];
}

UnitKey unit_key(const Vma& vma) {
  if (vma.inode != 0) return {{vma.device, vma.inode}, {}};
  return {{0, 0}, vma.unit};
}

std::string unit_label(const std::string& path, const UnitKey& key, bool is_only) {
  const auto& [device, inode] = key.first;
  const bool looks_labelled = path.ends_with(')') && path.find(" (device ") != path.npos;
  if (inode == 0 || (is_only && !looks_labelled)) return path;
  constexpr std::uint64_t kMinor = 0xFFFFFFFF;
  return path + " (device " + std::to_string(device >> 32) + ":" + std::to_string(device & kMinor) +
         ", inode " + std::to_string(inode) + ")";
}

bool is_same_unit(const Vma& a, const Vma& b) {
  if (a.inode != b.inode || a.inode == 0) return a.inode == b.inode && a.unit == b.unit;
  return a.device == b.device;
}

bool has_file(const Vma& vma) {
  return !vma.unit.empty() && !is_label(vma) && !is_shared_memory(vma);
}

RegionMap::Marks RegionMap::add(const Vma& vma) {
  Marks marks{vma.flags, is_label(vma) ? Name() : vma.unit, vma.unit, vma.device, vma.inode};
  const std::size_t unit = number(vma);
  if (has_file(vma)) {
    units_[unit].is_executable |= vma.is(PM_VMA_EXEC) || vma.is(PM_VMA_EXECUTABLE);
    if (vma.is(PM_VMA_EXECUTABLE)) {
      units_[unit].is_program = true;
      program_path_ = vma.unit;
    }
  }
  const std::optional<Region> region = classify(vma, marks);
  if (region == Region::kStack && marks.unit.empty()) marks.unit = stack_;
  const bool is_of_thread = region == Region::kStack && is_thread_stack(vma);
  areas_.push_back({region, unit, vma.flags, is_of_thread ? vma.size() : 0});
  before_ = vma;
  return marks;
}

/// Areas of a unit are adjacent, so the unit of the area before is tried first.
std::size_t RegionMap::number(const Vma& vma) {
  if (!areas_.empty() && is_same_unit(before_, vma)) return areas_.back().unit;
  const auto [known, is_new] = numbers_.try_emplace(unit_key(vma), units_.size());
  if (is_new) units_.emplace_back();
  return known->second;
}

/// Nothing if the kind of the unit decides (rules 9 to 11).
std::optional<Region> RegionMap::classify(const Vma& vma, Marks& marks) const {
  if (vma.is(PM_VMA_GROWSDOWN)) return Region::kStack;
  if (is_shared_memory(vma)) return Region::kSharedMemory;
  if (vma.unit == "[heap]") {
    marks.flags |= PM_VMA_BSS | PM_VMA_EXECUTABLE;
    marks.file = program_path_;
    return Region::kHeap;
  }
  if (is_anonymous(vma)) return classify_anonymous(vma, marks);
  if (is_label(vma)) return classify_label(vma);
  return std::nullopt;
}

Region RegionMap::classify_anonymous(const Vma& vma, Marks& marks) const {
  const bool follows = !areas_.empty() && before_.last + 1 == vma.start;
  if (vma.unit.contains("stack") || is_thread_stack(vma)) return Region::kStack;
  const bool is_app = follows && units_[areas_.back().unit].is_program;
  const bool is_bss_size = is_app || vma.size() < kMaxLibraryBss;
  if (follows && is_bss_size && vma.is(PM_VMA_WRITE) && has_file(before_) &&
      units_[areas_.back().unit].is_executable) {
    marks = {vma.flags | PM_VMA_BSS | (is_app ? PM_VMA_EXECUTABLE : 0), before_.unit, before_.unit,
             before_.device, before_.inode};
    if (!is_app) return Region::kLibBss;
    return version_ == 1 ? Region::kHeap : Region::kAppBss;
  }
  if (vma.is(PM_VMA_EXEC) && !vma.is(PM_VMA_WRITE)) return Region::kAppText;
  if (vma.is(PM_VMA_WRITE)) marks.flags |= PM_VMA_BSS;
  return Region::kHeap;
}

bool RegionMap::is_thread_stack(const Vma& vma) const {
  if (!vma.is(PM_VMA_WRITE) || vma.is(PM_VMA_EXEC) || vma.start % kArenaAlignment == 0 ||
      !is_anonymous(vma))
    return false;
  const bool is_after_guard = !areas_.empty() && before_.last + 1 == vma.start &&
                              is_anonymous(before_) && !before_.is(kPermissions) &&
                              before_.size() <= std::max(kMaxGuard, page_size_);
  return is_after_guard || vma.is(PM_VMA_GUARDED);
}

void RegionMap::limit_thread_stacks(std::uint64_t max, std::span<Marks* const> marks) {
  std::vector<std::size_t> stacks;
  for (std::size_t i = 0; i < areas_.size(); ++i)
    if (areas_[i].thread_stack != 0) stacks.push_back(i);
  if (stacks.size() <= max) return;
  std::ranges::stable_sort(stacks, std::greater<>(),
                           [this](std::size_t i) { return areas_[i].thread_stack; });
  for (const std::size_t i : std::span(stacks).subspan(max)) {
    areas_[i].region = Region::kHeap;
    if (marks[i]->unit.text() == stack_.text()) marks[i]->unit = {};
    marks[i]->flags |= PM_VMA_BSS;
  }
}

Regions RegionMap::regions(std::size_t i) const {
  const Known& known = areas_[i];
  if (known.region) return {*known.region, *known.region};
  if (!units_[known.unit].is_executable) return {Region::kMappedFile, Region::kMappedFile};
  const bool is_app = units_[known.unit].is_program;
  const Region data = is_app ? Region::kAppData : Region::kLibData;
  const Region text = is_app ? Region::kAppText : Region::kLibText;
  if ((known.flags & PM_VMA_WRITE) != 0) return {data, data};
  return {text, (known.flags & PM_VMA_EXEC) != 0 ? text : data};
}

}  // namespace physmem
