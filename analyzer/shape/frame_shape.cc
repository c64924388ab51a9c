// SPDX-License-Identifier: MIT
#include "analyzer/shape/frame_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "analyzer/shape/owner_words.h"
#include "formats/emit/flags.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// Of PM_PAGE_*, from bit 0 on.
constexpr std::array<std::string_view, 27> kFlagWords{
    "locked",      "error",     "referenced", "uptodate",      "dirty",         "lru",
    "active",      "slab",      "writeback",  "reclaim",       "buddy",         "mmap",
    "anon",        "swapcache", "swapbacked", "compound_head", "compound_tail", "hugetlb",
    "unevictable", "hwpoison",  "nopage",     "ksm",           "thp",           "offline",
    "zero_page",   "idle",      "pgtable"};

std::string flag_words(std::uint64_t flags) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < kFlagWords.size(); ++i)
    if ((flags >> i & 1) != 0) words.push_back(kFlagWords[i]);
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, " "));
}

std::string owner_text(const RamOwner& owner) {
  const std::string which = owner_identity(OwnerIdentity::of(owner));
  return owner_kind(owner.kind) + " " + owner.name + (which.empty() ? "" : " (" + which + ")");
}

/// A page of a file, or the order of a free block.
std::string place_text(const RamRun& run) {
  if (run.use == PM_RAM_FREE)
    return run.place == PM_RAM_ORDER_UNKNOWN ? "" : fmt::format("block of order {}", run.place);
  const bool is_of_file =
      run.use == PM_RAM_FILE || run.use == PM_RAM_SHMEM || run.use == PM_RAM_BLOCK;
  return is_of_file && run.owner != 0 ? fmt::format("page {} of it", run.place) : "";
}

std::string class_text(const FrameFacts& frame) {
  if (frame.run) return std::string(class_title(std::string(word_of(frame.run->use))));
  return frame.mappings.empty() ? "unknown" : "memory of processes";
}

}  // namespace

std::vector<std::string> frame_lines(const FrameLookup& lookup, PageSize page_size) {
  std::vector<std::string> lines;
  for (const FrameFacts& frame : lookup.frames()) {
    lines.push_back(fmt::format("Frame {:#x} (address {:#x}): {}", frame.pfn,
                                frame.pfn << page_size.shift(), class_text(frame)));
    const auto add = [&lines](const char* what, const std::string& text) {
      if (!text.empty()) lines.push_back(fmt::format("  {:<9} {}", what, text));
    };
    if (frame.owner) add("owner", owner_text(*frame.owner));
    if (frame.run) add("place", place_text(*frame.run));
    if (frame.cgroup) add("paid by", frame.cgroup->name);
    if (frame.run && !is_ram(frame.run->use)) continue;
    if (frame.count)
      add("mappings", fmt::format("{} as the kernel counts, {} in this snapshot", *frame.count,
                                  frame.mappings.size()));
    if (frame.flags) add("flags", flag_words(*frame.flags));
  }
  return lines;
}

Table frames_table(const FrameLookup& lookup, PageSize page_size) {
  Table table{{"frames",
               "Frames",
               {{"Frame", Kind::kHex},
                {"Address", Kind::kHex},
                {"Class", Kind::kText},
                {"Owner", Kind::kText},
                {"Place", Kind::kNumber},
                {"Cgroup", Kind::kText},
                {"Count", Kind::kNumber},
                {"Flags", Kind::kText},
                {"Mappings", Kind::kNumber}}},
              {}};
  for (const FrameFacts& frame : lookup.frames())
    table.rows.push_back(
        {frame.pfn, frame.pfn << page_size.shift(),
         frame.run ? Cell(class_cell(frame.run->use)) : Cell(),
         frame.owner ? Cell(owner_text(*frame.owner)) : Cell(),
         frame.run && !place_text(*frame.run).empty() ? Cell(frame.run->place) : Cell(),
         frame.cgroup ? Cell(frame.cgroup->name) : Cell(),
         frame.count ? Cell(*frame.count) : Cell(),
         frame.flags ? Cell(flag_words(*frame.flags)) : Cell(),
         static_cast<std::uint64_t>(frame.mappings.size())});
  return table;
}

Table frame_mappings_table(const FrameLookup& lookup, const View& view) {
  Table table{{"frame-mappings",
               "Mappings of these frames",
               {{"Frame", Kind::kHex},
                {"PID", Kind::kNumber, "pid"},
                {"Command", Kind::kText},
                {"Address", Kind::kHex},
                {"Flags", Kind::kText},
                {"File", Kind::kText}}},
              {}};
  table.head.has_plain_hex = true;
  for (const FrameFacts& frame : lookup.frames())
    for (const FrameMapping& mapping : frame.mappings)
      table.rows.push_back({frame.pfn, mapping.pid, mapping.command, mapping.address,
                            flag_symbols(mapping.vma_flags),
                            mapping.unit.empty() ? "[anon]" : unit_name(mapping.unit, view)});
  return table;
}

}  // namespace physmem
