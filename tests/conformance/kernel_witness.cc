// SPDX-License-Identifier: MIT
#include "tests/conformance/kernel_witness.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <stdexcept>

#include "tests/conformance/kernel_flaws.h"
#include "tests/conformance/observers.h"

namespace physmem::conformance {
namespace {

// Documentation/admin-guide/mm/pagemap.rst
constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;
constexpr std::uint64_t kSwapped = std::uint64_t{1} << 62;
constexpr std::uint64_t kSoftDirty = std::uint64_t{1} << 55;
constexpr std::uint64_t kFrameMask = kSoftDirty - 1;
constexpr std::uint64_t kStableFlags = 0x07ffffff;
constexpr std::uint64_t kHuge = 1u << 17;
constexpr std::uint64_t kNoPage = 1u << 20;

// Types from this one on are not swap devices but migration, poison and marker entries.
constexpr std::uint64_t kMinSpecialType = 23;
// Page-table bits of x86: the one that pagemap shows as soft dirty, and the two of which either
// makes an entry present.
constexpr std::uint64_t kRawSoftDirty = 1u << 11;
constexpr std::uint64_t kRawPresent = 1u << 0 | 1u << 8;

// In larger VMAs only the entries of the snapshot's pages are read; smaps_oracle.h detects missing
// pages.
constexpr std::uint64_t kMaxPagesRead = 1u << 20;

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%08llX", static_cast<unsigned long long>(value));
  return text;
}

/// A file of the kernel with 8 bytes per page.
class EntryFile {
 public:
  explicit EntryFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
  }
  EntryFile(const EntryFile&) = delete;
  EntryFile& operator=(const EntryFile&) = delete;
  ~EntryFile() { ::close(fd_); }

  /// Returns the number of entries read; entries after the end of the file are 0.
  template <std::size_t n>
  std::size_t read(std::uint64_t first, std::array<std::uint64_t, n>& into,
                   std::uint64_t wanted) const {
    into.fill(0);
    const std::uint64_t bytes = std::min<std::uint64_t>(n, wanted) * 8;
    const ssize_t got = ::pread(fd_, into.data(), bytes, static_cast<off_t>(first * 8));
    return got < 0 ? 0 : static_cast<std::size_t>(got) / 8;
  }
  std::uint64_t at(std::uint64_t index, std::uint64_t missing = 0) const {
    std::array<std::uint64_t, 1> entry{};
    return read(index, entry, 1) == 1 ? entry[0] : missing;
  }

 private:
  int fd_;
};

// Start addresses of the VMAs that are soft dirty as a whole ("sd" in VmFlags). pagemap then
// reports each of their pages as soft dirty.
std::set<std::uint64_t> soft_dirty_areas(std::uint64_t pid) {
  std::set<std::uint64_t> areas;
  std::uint64_t start = 0;
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && (line[0] < 'A' || line[0] > 'Z')) start = std::stoull(line, nullptr, 16);
    if (line.starts_with("VmFlags:") && line.find(" sd") != std::string::npos) areas.insert(start);
  }
  return areas;
}

class Witness {
 public:
  explicit Witness(const Snapshot& snapshot)
      : page_size_(std::stoull(snapshot.header.at("page_size"))),
        phys_mask_(std::stoull(snapshot.header.at("phys_mask"), nullptr, 16)),
        has_x86_bits_(snapshot.header.at("pte") == "raw" &&
                      snapshot.header.at("arch") == "x86_64") {}

  void task(const TaskRecord& task) {
    const EntryFile pagemap("/proc/" + std::to_string(task.pid) + "/pagemap");
    const std::set<std::uint64_t> soft_dirty = soft_dirty_areas(task.pid);
    for (const AreaRecord& area : task.areas) {
      for (const Page& page : area.pages) {
        place_ = std::to_string(task.pid) + " M: " + hex(page.va);
        const std::uint64_t entry = pagemap.at(page.va / page_size_);
        mapped(page, entry);
        described(page, is_of_observers(area.unit));
        if (has_x86_bits_) bits(page, entry, soft_dirty.contains(area.start));
      }
      for (const SwappedPage& page : area.swapped) {
        place_ = std::to_string(task.pid) + " S: " + hex(page.va);
        const std::uint64_t entry = pagemap.at(page.va / page_size_);
        // pagemap does not show shared memory in swap. smaps_oracle.h checks its amount.
        const bool is_shown = (entry & (kPresent | kSwapped)) != 0 || !area.may_be_shared_memory();
        if (is_shown) swapped(page, entry);
      }
      missing(task.pid, area, pagemap);
    }
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  void expect(const std::string& field, std::uint64_t ours, std::uint64_t kernels) {
    if (ours != kernels)
      found_.push_back({place_ + " " + field, hex(ours) + ", the kernel reports " + hex(kernels)});
  }

  void mapped(const Page& page, std::uint64_t entry) {
    expect("present", 1, (entry & kPresent) != 0 ? 1 : 0);
    if ((entry & kPresent) != 0)
      expect("frame", (page.value & phys_mask_) / page_size_, entry & kFrameMask);
  }

  // Frames for which the kernel has no struct page are in neither file, or have no count and one
  // flag.
  void described(const Page& page, bool is_observed) {
    const std::uint64_t frame = (page.value & phys_mask_) / page_size_;
    const std::uint64_t count = counts_.at(frame);
    const std::uint64_t flags =
        kStableFlags & ~((is_observed ? kObserversFlags : 0) | misleading_flags());
    expect("flags", page.flags & flags, flags_.at(frame, kNoPage) & flags);
    if (!is_observed || !may_be_observers(page.count, count)) expect("count", page.count, count);
  }

  void bits(const Page& page, std::uint64_t entry, bool is_area_soft_dirty) {
    expect("present bit", (page.value & kRawPresent) != 0 ? 1 : 0, 1);
    if (is_area_soft_dirty || (page.flags & kHuge) != 0) return;
    expect("soft-dirty bit", (page.value & kRawSoftDirty) != 0 ? 1 : 0,
           (entry & kSoftDirty) != 0 ? 1 : 0);
  }

  void swapped(const SwappedPage& page, std::uint64_t entry) {
    expect("swapped", 1, (entry & (kPresent | kSwapped)) == kSwapped ? 1 : 0);
    expect("type", page.type, entry & 0x1f);
    expect("slot", page.slot, entry >> 5 & ((std::uint64_t{1} << 50) - 1));
  }

  // Reports pages that pagemap has and the snapshot lacks.
  void missing(std::uint64_t pid, const AreaRecord& area, const EntryFile& pagemap) {
    const std::uint64_t first = area.start / page_size_;
    const std::uint64_t end = area.last / page_size_ + 1;
    if (end - first > kMaxPagesRead) return;
    std::set<std::uint64_t> known;
    for (const Page& page : area.pages) known.insert(page.va / page_size_);
    for (const SwappedPage& page : area.swapped) known.insert(page.va / page_size_);
    std::array<std::uint64_t, 512> entries{};
    for (std::uint64_t at = first; at < end; at += entries.size()) {
      pagemap.read(at, entries, end - at);
      for (std::uint64_t i = 0; i < entries.size() && at + i < end; ++i) {
        const bool is_swap = (entries[i] & kSwapped) != 0 && (entries[i] & 0x1f) < kMinSpecialType;
        if (((entries[i] & kPresent) == 0 && !is_swap) || known.contains(at + i)) continue;
        found_.push_back({std::to_string(pid) + " page " + hex((at + i) * page_size_),
                          "not in the snapshot, pagemap has " + hex(entries[i]) + "; " + area.vma});
      }
    }
  }

  std::uint64_t page_size_;
  std::uint64_t phys_mask_;
  bool has_x86_bits_;
  EntryFile counts_{"/proc/kpagecount"};
  EntryFile flags_{"/proc/kpageflags"};
  std::string place_;  // of the value that is being compared
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences_to_kernel(const Snapshot& snapshot) {
  Witness witness(snapshot);
  for (const TaskRecord& task : snapshot.tasks)
    if (!task.areas.empty()) witness.task(task);
  return witness.take();
}

}  // namespace physmem::conformance
