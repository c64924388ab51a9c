// SPDX-License-Identifier: MIT
#include "analyzer/shape/view.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <ctime>

#include "formats/emit/flags.h"
#include "program/machine_id.h"

namespace physmem {

std::string flag_symbols(std::uint64_t vma_flags) {
  struct Symbol {
    std::uint64_t flag;
    char letter;
  };
  constexpr std::array kSymbols{Symbol{PM_VMA_GROWSDOWN, 'S'}, Symbol{PM_VMA_EXECUTABLE, 'X'},
                                Symbol{PM_VMA_READ, 'r'},      Symbol{PM_VMA_WRITE, 'w'},
                                Symbol{PM_VMA_EXEC, 'x'},      Symbol{PM_VMA_BSS, 'B'}};
  std::string text;
  for (const Symbol& symbol : kSymbols)
    text += (vma_flags & symbol.flag) != 0 ? symbol.letter : '.';
  return text;
}

std::string unit_name(std::string_view unit, const Header& header) {
  if (unit.empty()) return "NULL";
  if (header.version != 1) return std::string(unit);
  const std::size_t file = unit.rfind('/') + 1;  // npos + 1 is 0: no directory
  return std::string(unit.substr(0, unit.find('.', file)));
}

std::string unit_name(std::string_view unit, const View& view) {
  return unit.empty() && view.is_on_terminal ? "[anon]" : unit_name(unit, view.header);
}

std::string origin(const Header& header) {
  if (header.version == 1) return "snapshot of format version 1";
  std::string text = fmt::format("Linux {} ({})", header.kernel, header.arch);
  if (header.time_ns) {
    const auto seconds = static_cast<std::time_t>(*header.time_ns / 1'000'000'000);
    text += fmt::format(", {:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(seconds));
  }
  text += ", collected by " + header.collector;
  const bool has_other_way = !header.ram_by.empty() && header.ram_by != header.collector;
  if (has_other_way) text += ", all of RAM by " + header.ram_by;
  return header.selection.empty() ? text : text + ", only " + header.selection;
}

std::string utc_text(std::uint64_t time_ns) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(time_ns / 1'000'000'000)));
}

std::string difference(std::uint64_t before, std::uint64_t after) {
  if (before == after) return "0";
  return after > before ? fmt::format("+{}", after - before) : fmt::format("-{}", before - after);
}

double mib(std::uint64_t pages, PageSize page_size) {
  return static_cast<double>(page_size.kib(pages)) / 1024;
}

double percent(double part, double whole) {
  return whole == 0 ? 0 : 100 * part / whole;
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

std::string human_size(std::uint64_t pages, PageSize page_size) {
  constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  double size = static_cast<double>(pages) * static_cast<double>(page_size.bytes) / 1024;
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{:.0f} KiB", size) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

bool is_of_this_machine(const Header& header) {
  return is_this_machine({header.machine_id, header.boot_id, header.host});
}

}  // namespace physmem
