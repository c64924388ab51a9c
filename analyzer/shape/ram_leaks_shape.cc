// SPDX-License-Identifier: MIT
#include "analyzer/shape/ram_leaks_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analyzer/shape/leak_words.h"
#include "analyzer/shape/owner_words.h"

namespace physmem {
namespace {

using Kind = Column::Kind;

std::string kind_name(RamKind kind) {
  constexpr std::array kNames{"cache file", "shared file",        "slab",
                              "code",       "page tables",        "cache folder",
                              "cache",      "shared file system", "class"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// The process that has page tables, a class, or the name of an owner.
Cell name_cell(const RamLeakRow& row) {
  if (row.subject.kind == RamKind::kPageTables) return row.process;
  if (row.subject.kind == RamKind::kClass) return class_cell(row.subject.name);
  return row.subject.name;
}

/// "ext4 254:1 8421", "ext4 254:1", or the class of code.
std::string identity_text(const RamSubject& subject) {
  switch (subject.kind) {
    case RamKind::kCacheFile:
    case RamKind::kSharedFile:
      return owner_identity(
          {RamOwner::Kind::kFile, subject.name, subject.detail, subject.device, subject.number});
    case RamKind::kCacheFolder:
    case RamKind::kSharedFileSystem:
      return subject.detail + " " + device_text(subject.device);
    default:
      return subject.detail;
  }
}

std::string last_part(const RamLeakRow& row) {
  if (row.subject.kind == RamKind::kSlab && row.is_reclaimable)
    return "; the kernel can reclaim these objects unless they are in use";
  if (row.is_reclaimable) return "; no process maps these pages, and the kernel can reclaim them";
  return "";
}

}  // namespace

std::string ram_subject_text(const RamLeakRow& row) {
  const RamSubject& subject = row.subject;
  switch (subject.kind) {
    case RamKind::kCacheFile:
      return fmt::format("page cache of {} ({})", subject.name, identity_text(subject));
    case RamKind::kCacheFolder:
      return fmt::format("page cache of folder {} ({})", subject.name, identity_text(subject));
    case RamKind::kCache:
      return "page cache";
    case RamKind::kSharedFile:
      return fmt::format("file {} in memory ({})", subject.name, identity_text(subject));
    case RamKind::kSharedFileSystem:
      return fmt::format("files in memory of {}", identity_text(subject));
    case RamKind::kSlab:
      return "slab cache " + subject.name;
    case RamKind::kCode:
      return fmt::format("kernel memory of {} ({})", subject.name, class_title(subject.detail));
    case RamKind::kPageTables:
      return fmt::format("page tables of {} ({})", row.process, subject.number);
    case RamKind::kClass:
      break;
  }
  return "memory of class " + class_title(subject.name);
}

std::string ram_leak_sentence(const LeakSearch& search, const RamLeakRow& row, const View& view) {
  const LeakVerdict& v = row.verdict;
  return fmt::format("{} {}{}: {}; still growing at the end{}{}; confidence {}: {}",
                     row.is_reclaimable ? "Cache grows:" : "Leak?", ram_subject_text(row),
                     row.is_rest ? ", without its parts that leak" : "",
                     growth_text(search, v, row.time.back() - row.time.front(), view),
                     row.is_reclaimable ? "" : left_text(seconds_left(search, v.fit.slope, view)),
                     last_part(row), confidence_name(v.confidence), verdict_grounds(v));
}

std::string ram_looked_at(const LeakSearch& search, const std::vector<RamLeakRow>& rows) {
  const auto judged = std::count_if(rows.begin(), rows.end(), [](const RamLeakRow& row) {
    return row.verdict.reason != LeakReason::kTooFewSamples;
  });
  std::size_t samples = 0;
  double span = 0;
  for (const RamLeakRow& row : rows) {
    samples = std::max(samples, row.time.size());
    span = std::max(span, row.time.back() - row.time.front());
  }
  std::string text =
      fmt::format("looked at the whole of RAM: {} time series of classes and owners over {}, {}",
                  judged, span_text(search, span), counted(samples, "snapshot"));
  if (const auto few = rows.size() - static_cast<std::size_t>(judged); few != 0)
    text += fmt::format("; {} in fewer than three snapshots", few);
  return text;
}

std::string ram_missing(std::uint64_t snapshots) {
  return fmt::format(
      "{} without the whole of RAM (collect with --ram): its leaks are judged by the others",
      counted(snapshots, "snapshot"));
}

Table ram_leaks_table(const LeakSearch& search, const std::vector<RamLeakRow>& rows,
                      const View& view) {
  Table table{{"leaks-ram",
               "",
               {{"Kind", Kind::kText}, {"Name", Kind::kText}, {"Identity", Kind::kText}, {"PID"}}},
              {}};
  std::vector<Column>& columns = table.head.columns;
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(columns, growth_columns(search));
  columns.push_back({"Reclaimable", Kind::kText});
  columns.push_back({"Rest", Kind::kText});
  if (view.is_full) append(columns, verdict_columns(search));
  table.head.spare = spare_growth_columns(search);
  for (const RamLeakRow& row : rows) {
    if (!row.verdict.is_leak() && !view.is_full) continue;
    const bool is_process = row.subject.kind == RamKind::kPageTables;
    const auto left =
        row.is_reclaimable ? std::nullopt : seconds_left(search, row.verdict.fit.slope, view);
    std::vector<Cell>& cells = table.rows.emplace_back();
    cells = {kind_name(row.subject.kind), name_cell(row), identity_text(row.subject),
             is_process ? Cell(row.subject.number) : Cell()};
    append(cells, growth_cells(row.verdict, row.pages, left, view));
    cells.emplace_back(row.is_reclaimable ? "yes" : "no");
    cells.emplace_back(row.is_rest ? "yes" : "no");
    if (view.is_full) append(cells, verdict_cells(row.verdict, view));
  }
  return table;
}

}  // namespace physmem
