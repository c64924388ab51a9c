// SPDX-License-Identifier: MIT
#include "analyzer/shape/process_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

/// A size of the page, or that it is not known.
std::string size_text(std::optional<std::uint64_t> pages, const View& view) {
  return pages ? human_size(*pages, view.header.page_size) : "unknown";
}

/// "anonymous 10 MiB, files 3 MiB": parts without pages are left out.
std::string parts_text(const std::vector<std::pair<const char*, std::uint64_t>>& parts,
                       const View& view) {
  std::vector<std::string> texts;
  for (const auto& [name, pages] : parts)
    if (pages != 0)
      texts.push_back(fmt::format("{} {}", name, human_size(pages, view.header.page_size)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string who_text(const MemoryUseRow& row, const UseView& use_view) {
  std::string text = fmt::format("{} ({})", row.name, row.pid);
  if (row.uid) text += ", user " + use_view.user(*row.uid);
  if (!row.cgroup.empty()) text += ", cgroup " + row.cgroup;
  return text + ", " + counted(row.threads, "thread");
}

}  // namespace

std::vector<std::string> process_page_lines(const MemoryUseRow& row, const MemoryUses& uses,
                                            const UseView& use_view, const View& view) {
  std::vector<std::string> lines{who_text(row, use_view)};
  const std::string command = use_view.command_line ? use_view.command_line(row.pid, row.name) : "";
  if (!row.program.empty()) lines.push_back("Program  " + row.program);
  if (!command.empty()) lines.push_back("Command  " + command);
  const MemoryUse& use = row.use;
  std::string sizes = "RSS " + size_text(use.resident, view);
  const FlaggedPages& pages = use.flagged;
  if (uses.knows_flags() && use.resident != 0) {
    const std::uint64_t others = pages.anonymous + pages.shared_memory;
    sizes += ": " + parts_text({{"anonymous", pages.anonymous},
                                {"files", use.resident - std::min(use.resident, others)},
                                {"shared memory", pages.shared_memory}},
                               view);
    const std::string of_it = parts_text({{"in huge pages", pages.huge},
                                          {"lazily freed", pages.lazily_freed},
                                          {"locked", pages.locked},
                                          {"dirty file pages", pages.dirty}},
                                         view);
    if (!of_it.empty()) sizes += "; of it " + of_it;
  }
  lines.push_back("Memory   " + sizes);
  const auto if_known = [](bool is_known, std::uint64_t n) {
    return is_known ? std::optional(n) : std::nullopt;
  };
  std::string shares = fmt::format(
      "USS {}, PSS {}, swap {}", size_text(if_known(row.has_unique(), use.unique), view),
      size_text(if_known(row.has_share(), static_cast<std::uint64_t>(use.share.pages())), view),
      size_text(use.swapped(), view));
  if (pages.hugetlb != 0) shares += ", hugetlb " + size_text(pages.hugetlb, view);
  if (row.page_tables_kib)
    shares +=
        ", page tables " + size_text(view.header.page_size.pages(*row.page_tables_kib << 10), view);
  lines.push_back("         " + shares);
  return lines;
}

std::vector<UseColumn> process_page_columns(UseGrouping grouping) {
  using enum UseColumn;
  std::vector<UseColumn> columns{kUss,  kPss,      kRss,     kSwap,   kAnon,  kFilePages, kShmem,
                                 kHuge, kLazyFree, kHugetlb, kLocked, kDirty, kVirtual};
  if (grouping == UseGrouping::kUnit) {
    columns.push_back(kFile);
    return columns;
  }
  columns.insert(columns.begin(), {kPid, kUser, kCommand, kProgram, kCgroup, kThreads});
  columns.insert(columns.end(), {kSwapPss, kPageTables});
  return columns;
}

std::vector<UseColumn> process_page_columns(UseGrouping grouping, const MemoryUse& use) {
  using enum UseColumn;
  const FlaggedPages& pages = use.flagged;
  const std::vector<std::pair<UseColumn, std::uint64_t>> sizes{
      {kSwap, use.swapped()},          {kAnon, pages.anonymous},  {kShmem, pages.shared_memory},
      {kLazyFree, pages.lazily_freed}, {kHugetlb, pages.hugetlb}, {kHuge, pages.huge},
      {kLocked, pages.locked},         {kDirty, pages.dirty}};
  std::vector<UseColumn> columns = process_page_columns(grouping);
  for (const auto& [column, size] : sizes)
    if (size == 0) std::erase(columns, column);
  return columns;
}

}  // namespace physmem
