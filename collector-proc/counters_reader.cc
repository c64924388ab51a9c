// SPDX-License-Identifier: MIT
#include "collector-proc/counters_reader.h"

#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "collector-proc/text_cursor.h"

namespace physmem::collect {
namespace {

using std::string_view_literals::operator""sv;

// Counters that the analyses of fault rates, swap and thrashing need. allocstall has one counter
// per zone, hence the prefix. Before Linux 5.9 refaults of anonymous pages were not counted, and
// the names had no suffix. pgscan_anon and pgscan_file count all scanning: for a shortage (kswapd,
// direct), for other reasons (khugepaged, proactive), and for limits of cgroups, which have
// no counter of their own.
constexpr std::array kVmCounters{
    "nr_free_pages"sv,
    "pgpgin"sv,
    "pgpgout"sv,
    "pgfault"sv,
    "pgmajfault"sv,
    "pswpin"sv,
    "pswpout"sv,
    "pgscan_kswapd"sv,
    "pgscan_direct"sv,
    "pgscan_khugepaged"sv,
    "pgscan_proactive"sv,
    "pgscan_anon"sv,
    "pgscan_file"sv,
    "pgsteal_kswapd"sv,
    "pgsteal_direct"sv,
    "workingset_refault"sv,
    "workingset_refault_anon"sv,
    "workingset_refault_file"sv,
    "workingset_restore"sv,
    "workingset_restore_anon"sv,
    "workingset_restore_file"sv,
    "oom_kill"sv,
    "thp_fault_alloc"sv,
    "thp_fault_fallback"sv,
    "thp_fault_fallback_charge"sv,
    "thp_split_page"sv,
    "compact_stall"sv,
    "compact_fail"sv,
    "compact_success"sv,
    "swap_ra"sv,
    "swap_ra_hit"sv,
    "nr_zspages"sv,
};
constexpr std::string_view kStallPrefix = "allocstall";

bool is_wanted(std::string_view name) {
  return name.starts_with(kStallPrefix) ||
         std::find(kVmCounters.begin(), kVmCounters.end(), name) != kVmCounters.end();
}

// Keeps letters, digits and '_'. Replaces each run of other characters by one '_', and removes it
// at the end.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      plain += c;
    else if (!plain.empty() && plain.back() != '_')
      plain += '_';
  }
  while (!plain.empty() && plain.back() == '_') plain.pop_back();
  return plain;
}

}  // namespace

void add_counters(std::string_view prefix,
                  std::initializer_list<std::pair<const char*, std::uint64_t>> values,
                  std::vector<Counter>& into) {
  for (const auto& [name, value] : values) into.push_back({std::string(prefix) + name, value});
}

void parse_vmstat(std::string_view text, std::vector<Counter>& into) {
  TextCursor lines(text);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const std::string_view name = line.until(' ');
    const auto value = line.number();
    if (value && is_wanted(name)) into.push_back({"vm." + plain_name(name), *value});
  }
}

void parse_meminfo(std::string_view text, std::vector<Counter>& into) {
  TextCursor lines(text);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const std::string_view name = line.until(':');
    line.skip_blanks();
    const auto value = line.number();
    if (value && line.skip(" kB")) into.push_back({"mem." + plain_name(name) + "_kB", *value});
  }
}

void parse_pressure(std::string_view text, std::string_view prefix, std::vector<Counter>& into) {
  TextCursor lines(text);
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const std::string_view kind = line.until(' ');
    while (!line.at_end() && !line.skip("total=")) line.until(' ');
    const auto total = line.number();
    if (!total || (kind != "some" && kind != "full")) continue;
    std::string name(prefix);
    name += kind;
    name += "_us";
    into.push_back({std::move(name), *total});
  }
}

void parse_swaps(std::string_view text, std::vector<Counter>& into) {
  std::uint64_t zram = 0;
  TextCursor lines(text);
  lines.line();  // the heading
  while (!lines.at_end()) {
    TextCursor line(lines.line());
    const std::string_view device = line.until(' ');
    line.until('\t');  // "partition"
    line.skip_blanks();
    const auto size = line.number();
    line.skip_blanks();
    const auto used = line.number();
    if (size && used && device.starts_with("/dev/zram")) zram += *used;
  }
  if (zram != 0) into.push_back({"swap.zram_used_kB", zram});
}

namespace {

/// What meminfo has too, for a /proc that shows only processes (mounted with subset=pid).
void read_sysinfo(std::vector<Counter>& into) {
  struct sysinfo info {};
  if (::sysinfo(&info) != 0) return;
  const std::uint64_t unit = info.mem_unit;
  add_counters("mem.",
               {{"MemTotal_kB", info.totalram * unit / 1024},
                {"SwapTotal_kB", info.totalswap * unit / 1024},
                {"SwapFree_kB", info.freeswap * unit / 1024}},
               into);
}

}  // namespace

std::vector<Counter> read_counters(const ProcTree& tree) {
  std::vector<Counter> counters;
  ReadBuffer buffer;
  if (read_at(tree.fd(), "vmstat", buffer) == Access::kRead) parse_vmstat(buffer.text(), counters);
  if (read_at(tree.fd(), "pressure/memory", buffer) == Access::kRead)
    parse_pressure(buffer.text(), "psi.memory.", counters);
  if (read_at(tree.fd(), "meminfo", buffer) == Access::kRead)
    parse_meminfo(buffer.text(), counters);
  else if (!tree.is_copy())
    read_sysinfo(counters);
  if (read_at(tree.fd(), "swaps", buffer) == Access::kRead) parse_swaps(buffer.text(), counters);
  return counters;
}

std::optional<std::uint64_t> find_counter(const std::vector<Counter>& counters,
                                          std::string_view name) {
  const auto found = std::find_if(counters.begin(), counters.end(),
                                  [name](const Counter& counter) { return counter.name == name; });
  return found == counters.end() ? std::nullopt : std::optional(found->value);
}

std::uint64_t count_swap_devices(std::string_view text) {
  const auto lines = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
  return lines > 0 ? lines - 1 : 0;
}

}  // namespace physmem::collect
