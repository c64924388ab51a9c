// SPDX-License-Identifier: MIT
#include "analyzer/input/notes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include "analyzer/shape/view.h"
#include "program/printable.h"

namespace physmem {
namespace {

/// The meaning of a collector's note. Unknown names are printed unchanged.
struct Meaning {
  std::string_view name;
  std::string_view thing;
  std::string_view what;
};
constexpr std::array kMeanings{
    Meaning{"task_exited", "task", "ended while being collected"},
    Meaning{"areas_hidden", "process", "that the collector was not permitted to read"},
    Meaning{"areas_unsupported", "process",
            "of which the collector's kernel shows no pages: only RSS and swap are known"},
    Meaning{"area_changed", "area", "changed while being collected; the listed pages count"},
    Meaning{"space_changed", "process",
            "that changed during each try: only RSS, swap and some areas are known"},
    Meaning{"in_transit", "page",
            "neither present nor swapped when looked at (migrating, poisoned)"},
    Meaning{"sharing_unknown", "process",
            "that may share memory with others; each is counted by itself"},
    Meaning{"ksm_unknown", "kernel",
            "that marks every anonymous page as merged, so KSM pages are not known"},
    Meaning{"symbols_hidden", "kernel",
            "that hid the addresses of its functions (no CAP_SYSLOG), so its own memory has fewer "
            "owners"},
    Meaning{"frame_unreadable", "page",
            "without count and flags, which the kernel did not provide"},
    Meaning{"table_excluded", "page table",
            "that is not in the dump; the pages that it maps are left out"},
    Meaning{"frame_excluded", "page",
            "without count and flags, because the dump lacks the kernel's data on them"},
    Meaning{"name_excluded", "name", "that could not be read from the dump: [name not in dump]"},
    Meaning{"data_excluded", "read",
            "of kernel data that is not in the dump; counts are lower bounds"},
    Meaning{"corrupt", "place", "in inconsistent lists, trees and tables; not followed"},
};

std::string sentence(std::string_view name, std::uint64_t n) {
  for (const Meaning& meaning : kMeanings)
    if (meaning.name == name) return fmt::format("{} {}", counted(n, meaning.thing), meaning.what);
  return fmt::format("the collector noted {}={}", name, n);
}

}  // namespace

std::vector<std::string> sentences(const ReadNotes& notes, const Header& header,
                                   std::uint64_t repeated_areas) {
  std::vector<std::string> all;
  const auto add = [&](std::uint64_t n, std::string_view thing, const std::string& what) {
    if (n != 0) all.push_back(fmt::format("{} {}", counted(n, thing), what));
  };
  if (!header.has_areas)
    all.emplace_back("the snapshot lists no areas (areas=none), only tasks and counters");
  else if (notes.collector.count("frames_missing") != 0)
    all.emplace_back(
        "/proc had no kpagecount or kpageflags, so the snapshot lists no pages (a kernel without "
        "CONFIG_PROC_PAGE_MONITOR, or a mount with subset=pid)");
  else if (header.pfn_hidden)
    all.emplace_back(
        "the kernel hid frame numbers from the collector: run it as root, or with CAP_SYS_ADMIN");
  else if (!header.has_pages)
    all.emplace_back("the snapshot lists no pages (pages=none), only counts of areas");
  if (header.count == Header::Count::kAverage)
    all.emplace_back(
        "use counts are averages over large folios (count=average): this kernel keeps no others; "
        "--counts=joined counts mappings");
  add(notes.elided, "line", "`...` for what was left out of the file");
  add(notes.wrong_counts, "area", "with fewer or more pages listed than counted");
  add(notes.dropped_lines, "line", "dropped, the first because of " + notes.first_problem);
  if (notes.truncated != 0) all.push_back("the snapshot was cut short: " + notes.first_problem);
  add(notes.unknown_records, "record", "of a kind that this version does not know");
  add(repeated_areas, "area",
      "listed again for an address space that was already complete; left out");
  add(notes.excluded, "page", "whose contents are not in the dump; they are not needed");
  if (notes.of_collector("init_hidden") != 0)
    all.emplace_back("process 1, which nobody in this container may read, is left out");
  for (const auto& [name, noted] : notes.collector) {
    const std::uint64_t n = name == "areas_hidden" ? notes.hidden_processes() : noted;
    if (n != 0 && name != "frames_missing" && name != "init_hidden")
      all.push_back(sentence(name, n));
  }
  return all;
}

std::size_t lines_of_message(const std::string& sentence, std::size_t columns) {
  constexpr std::size_t kPrefix = 31;  // "physmem-analyze: this machine: "
  if (columns == 0 || ::isatty(STDERR_FILENO) == 0) return 0;
  return (kPrefix + terminal_width(sentence)) / columns + 1;
}

}  // namespace physmem
