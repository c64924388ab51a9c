// SPDX-License-Identifier: MIT
#include "tests/unit/maps_snapshot.h"

#include <cstdint>
#include <sstream>
#include <vector>

#include "formats/emit/emit.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

int append(void* to, const char* text, std::size_t size) {
  static_cast<std::string*>(to)->append(text, size);
  return 0;
}

pm_text text_of(const std::string& text) {
  return {text.data(), text.size()};
}

std::uint64_t page_flags(char kind) {
  switch (kind) {
    case 'a':
      return PM_PAGE_ANON | PM_PAGE_SWAPBACKED | PM_PAGE_MMAP;
    case 'z':
      return PM_PAGE_ZERO_PAGE;
    case 'h':
      return PM_PAGE_HUGE | PM_PAGE_MMAP;
    case 'n':
      return PM_PAGE_NOPAGE;
    default:
      return PM_PAGE_UPTODATE | PM_PAGE_MMAP;
  }
}

std::uint64_t area_flags(const std::string& perms) {
  std::uint64_t flags = 0;
  for (const char c : perms) {
    if (c == 'r') flags |= PM_VMA_READ;
    if (c == 'w') flags |= PM_VMA_WRITE;
    if (c == 'x') flags |= PM_VMA_EXEC;
    if (c == 's') flags |= PM_VMA_SHARED;
    if (c == 'S') flags |= PM_VMA_GROWSDOWN;
    if (c == 'X') flags |= PM_VMA_EXECUTABLE;
  }
  return flags;
}

class Writer {
 public:
  std::string write(std::string_view maps) {
    header();
    std::istringstream lines{std::string(maps)};
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const bool is_area = line.find('-') < line.find(' ');
      is_area ? area(line) : task(line);
    }
    pm_emit_end(&out_, &end_);
    pm_out_flush(&out_);
    return text_;
  }

 private:
  void header() {
    const pm_header header{.arch = "x86_64",
                           .kernel = "6.1.0",
                           .collector = "proc",
                           .pte = "none",
                           .prot = "none",
                           .count = "mapcount",
                           .pages = "all",
                           .pfn = "shown",
                           .page_size = 4096,
                           .time_ns = 1763683200000000000,
                           .uptime_ns = 1,
                           .hz = 100,
                           .ram_pages = 1000,
                           .phys_mask = 0x000FFFFFFFFFF000,
                           .areas = nullptr,
                           .ram = nullptr,
                           .ram_by = nullptr,
                           .files = nullptr,
                           .host = nullptr,
                           .machine_id = nullptr,
                           .boot_id = nullptr,
                           .has_sequence = false,
                           .sequence = 0};
    pm_emit_header(&out_, &header);
  }

  void task(const std::string& line) {
    std::istringstream words(line);
    std::string kind;
    std::string name;
    pm_task task{};
    words >> kind >> name >> task.pid;
    task.comm = text_of(name);
    if (kind == "process") process_ = task.pid;
    if (kind != "kernel") task.mm = process_;
    task.tgid = kind == "thread" ? process_ : task.pid;
    pm_emit_task(&out_, &task);
    ++end_.tasks;
  }

  void area(const std::string& line) {
    std::istringstream words(line);
    std::string perms;
    std::string unit;
    char dash = 0;
    pm_vma vma{};
    words >> std::hex >> vma.start >> dash >> vma.last >> perms >> vma.offset >> std::dec >>
        vma.inode >> std::ws;
    --vma.last;
    const std::size_t colon = std::min(line.rfind(" :"), line.size());
    const auto from = static_cast<std::size_t>(words.tellg());
    unit = line.substr(from, colon - from);
    if (unit != "-") vma.unit = text_of(unit);
    vma.flags = area_flags(perms);
    vma.dev_major = vma.inode != 0 ? 0xFE : 0;
    read_pages(colon < line.size() ? line.substr(colon + 2) : "", vma.start);
    vma.resident = pages_.size() * 4096;
    pm_emit_vma(&out_, &vma);
    emit_pages((vma.flags & PM_VMA_EXEC) != 0, (vma.flags & PM_VMA_WRITE) == 0);
    ++end_.areas;
  }

  void read_pages(const std::string& tokens, std::uint64_t va) {
    pages_.clear();
    swapped_.clear();
    std::istringstream words(tokens);
    for (std::string token; words >> token; va += 4096) {
      if (token == "s") swapped_.push_back({va, 0, va >> 12});
      if (token == "." || token == "s") continue;
      const std::size_t at = token.find('@');
      const std::uint64_t frame =
          at == std::string::npos ? next_frame_++ : std::stoull(token.substr(at + 1), nullptr, 16);
      const std::string count = token.substr(1, at == std::string::npos ? at : at - 1);
      pages_.push_back(
          {va, frame << 12, count.empty() ? 0 : std::stoull(count), page_flags(token[0])});
    }
  }

  void emit_pages(bool executable, bool read_only) {
    pm_page_counts counts{};
    counts.user = pages_.size();
    if (executable) counts.executable = counts.user;
    if (read_only) counts.read_only = counts.user;
    for (const pm_page& page : pages_) {
      if (page.count == 1) ++counts.single_use;
      if (page.count > 1) ++counts.shared;
    }
    counts.swapped = swapped_.size();
    pm_emit_page_counts(&out_, &counts);
    pm_emit_pages_begin(&out_);
    pm_emit_pages(&out_, pages_.data(), pages_.size());
    pm_emit_pages_end(&out_);
    pm_emit_swapped_begin(&out_);
    pm_emit_swapped(&out_, swapped_.data(), swapped_.size());
    pm_emit_swapped_end(&out_);
    end_.pages += pages_.size();
    end_.swapped += swapped_.size();
  }

  std::string text_;
  char buffer_[PM_OUT_MIN] = {};
  pm_out out_{buffer_, sizeof buffer_, 0, append, &text_, 0};
  pm_end end_{};
  std::vector<pm_page> pages_;
  std::vector<pm_swap> swapped_;
  std::uint64_t process_ = 0;
  std::uint64_t next_frame_ = 0x100000;
};

}  // namespace

std::string maps_snapshot(std::string_view maps) {
  return Writer().write(maps);
}

}  // namespace physmem
