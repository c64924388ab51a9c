// SPDX-License-Identifier: MIT
#include "analyzer/shape/stop_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "program/messages.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

/// What happens to memory of one kind if no other process maps it.
struct KindText {
  MappedKind kind;
  const char* word;
  const char* title;
  const char* fate;
};
constexpr std::array<KindText, kMappedKinds> kKinds{{
    {MappedKind::kAnonymous, "anonymous", "anonymous memory", "free"},
    {MappedKind::kNameless, "nameless_shared_memory", "shared memory that no path leads to",
     "free"},
    {MappedKind::kDeletedFile, "deleted_files", "cached pages of deleted files", "free"},
    {MappedKind::kHugetlb, "hugetlb", "huge pages of the pool", "pool"},
    {MappedKind::kCleanFile, "clean_file", "cached pages of files", "reclaimable"},
    {MappedKind::kDirtyFile, "dirty_file", "cached pages of files, to be written first",
     "reclaimable"},
    {MappedKind::kDmaBuf, "dma_buffers", "buffers for devices (dma-buf)", "free"},
    {MappedKind::kTmpfs, "tmpfs", "files of a tmpfs", "left"},
    {MappedKind::kSystemV, "system_v", "System V shared memory", "left"},
}};

struct FateText {
  const char* word;
  const char* title;
};
constexpr std::array<FateText, 8> kFates{{
    {"free", "becomes free"},
    {"pool", "goes back to the pool"},
    {"reclaimable", "becomes reclaimable"},
    {"left", "is left until it is deleted"},
    {"shared", "stays: others map it"},
    {"held", "stays: others have a descriptor of it"},
    {"elsewhere", "stays: processes outside of the snapshot map it"},
    {"swap", "swap slots become free"},
}};

Word fate(std::string_view word) {
  for (const FateText& text : kFates)
    if (text.word == word) return {text.word, text.title};
  return {};
}

std::uint64_t own(const StopEstimate::Frames& frames) {
  return frames.own + frames.unmapped;
}

/// Pages; nothing: not known.
std::optional<std::uint64_t> pages_of(std::optional<std::uint64_t> kib, PageSize page_size) {
  return kib ? std::optional(page_size.pages(*kib << 10)) : std::nullopt;
}

std::uint64_t sum_of(const StopEstimate& estimate, std::string_view word) {
  std::uint64_t pages = 0;
  for (const KindText& text : kKinds)
    if (text.fate == word) pages += own(estimate.frames(text.kind));
  return pages;
}

/// What becomes free and is not mapped by the processes.
struct KernelPart {
  Word what;
  std::optional<std::uint64_t> pages;
};

std::vector<KernelPart> kernel_parts(const StopEstimate& estimate, PageSize page_size) {
  const auto objects = estimate.object_bytes();
  return {{{"swap_cache", "swapped pages that are still in RAM"}, estimate.swap_cache()},
          {{"page_tables", "page tables"}, pages_of(estimate.page_table_kib(), page_size)},
          {{"kernel_stacks", "kernel stacks"}, pages_of(estimate.stack_kib(), page_size)},
          {{"kernel_objects", "kernel objects of tasks and areas"},
           objects ? std::optional(*objects >> page_size.shift()) : std::nullopt}};
}

std::uint64_t free_pages(const StopEstimate& estimate, PageSize page_size) {
  std::uint64_t pages = sum_of(estimate, "free");
  for (const KernelPart& part : kernel_parts(estimate, page_size)) pages += part.pages.value_or(0);
  return pages;
}

std::uint64_t shared_pages(const StopEstimate& estimate) {
  std::uint64_t pages = 0;
  for (const KindText& text : kKinds)
    pages += estimate.frames(text.kind).shared + estimate.frames(text.kind).elsewhere +
             estimate.frames(text.kind).held;
  return pages;
}

bool is_some_held(const StopEstimate& estimate) {
  return std::ranges::any_of(
      kKinds, [&](const KindText& text) { return estimate.frames(text.kind).held != 0; });
}

class StopRows {
 public:
  explicit StopRows(Table& table) : table_(table) {}

  void add(std::string_view word, Word what, std::optional<std::uint64_t> pages) {
    if (pages == 0U) return;
    table_.rows.push_back({fate(word), std::move(what), pages ? Cell(*pages) : Cell()});
  }

 private:
  Table& table_;
};

}  // namespace

std::vector<std::string> stop_lines(const StopEstimate& estimate, PageSize page_size) {
  const auto size = [page_size](std::uint64_t pages) { return human_size(pages, page_size); };
  const std::string processes = estimate.processes() == 1
                                    ? "this process ends"
                                    : fmt::format("these {} processes end", estimate.processes());
  std::string line =
      fmt::format("If {}, {} become free", processes, size(free_pages(estimate, page_size)));
  if (const std::uint64_t pages = sum_of(estimate, "reclaimable"); pages != 0)
    line += fmt::format(", {} more become reclaimable", size(pages));
  std::vector<std::string> lines{line + "."};
  if (const std::uint64_t pages = shared_pages(estimate); pages != 0)
    lines.push_back(fmt::format("{} stay, because other processes map {}them.", size(pages),
                                is_some_held(estimate) ? "or hold " : ""));
  return lines;
}

Table stop_table(const StopEstimate& estimate, PageSize page_size) {
  Table table{{"if-stopped",
               "Memory of these processes",
               {{"Then", Kind::kText}, {"What", Kind::kText}, {"Size", Kind::kSize}}},
              {}};
  StopRows rows(table);
  for (const FateText& text : kFates) {
    for (const KindText& kind : kKinds)
      if (kind.fate == std::string_view(text.word))
        rows.add(text.word, {kind.word, kind.title}, own(estimate.frames(kind.kind)));
    if (text.word != std::string_view("free")) continue;
    for (KernelPart& part : kernel_parts(estimate, page_size))
      rows.add("free", std::move(part.what), part.pages);
  }
  for (const KindText& kind : kKinds) {
    rows.add("shared", {kind.word, kind.title}, estimate.frames(kind.kind).shared);
    rows.add("held", {kind.word, kind.title}, estimate.frames(kind.kind).held);
    rows.add("elsewhere", {kind.word, kind.title}, estimate.frames(kind.kind).elsewhere);
  }
  rows.add("swap", {"swap", "swapped memory"}, estimate.swap_slots());
  return table;
}

Table keepers_table(const StopEstimate& estimate) {
  Table table{{"if-stopped-kept",
               "Others that have the same memory",
               {{"Command", Kind::kText}, {"Processes", Kind::kNumber}, {"Shared", Kind::kSize}}},
              {}};
  for (const StopEstimate::Keeper& keeper : estimate.keepers())
    table.rows.push_back({keeper.name, keeper.processes, keeper.frames});
  return table;
}

std::vector<std::string> stop_notes(const StopEstimate& estimate) {
  std::vector<std::string> notes;
  if (estimate.unread() != 0)
    notes.push_back(fmt::format("the pages of {} of these are not known; run it as root",
                                counted(estimate.unread(), "process")));
  const bool is_holdable = estimate.frames(MappedKind::kNameless).own != 0 ||
                           estimate.frames(MappedKind::kDeletedFile).own != 0;
  if (!estimate.knows_holders() && is_holdable)
    notes.emplace_back(
        "whether other processes hold some of it by a descriptor is not known: "
        "physmem-collect --holders records that");
  if (estimate.hidden_holders() != 0)
    notes.push_back(
        fmt::format("the descriptors of {} are not known: these may hold the memory, "
                    "too; run it as root",
                    counted(estimate.hidden_holders(), "process")));
  if (!estimate.page_table_kib() && estimate.processes() != 0)
    notes.emplace_back("the snapshot does not say how large page tables are");
  return notes;
}

}  // namespace physmem
