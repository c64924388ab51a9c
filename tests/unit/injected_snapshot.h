// SPDX-License-Identifier: MIT
// A snapshot whose numbers are changed. It stays consistent: V:, P: and E: follow the pages.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/parse/open_source.h"
#include "formats/emit/flags.h"

namespace physmem {

/// An entry of M:.
struct InjectedPage {
  std::uint64_t va = 0, value = 0, count = 0;
  std::string flags;  ///< hexadecimal
};

class InjectedSnapshot {
 public:
  /// Reads a file, compressed or not, that holds one snapshot.
  explicit InjectedSnapshot(const std::string& path) {
    auto source = open_source(path);
    EXPECT_TRUE(source) << path;
    if (!source) return;
    std::string text, piece(1 << 20, '\0');
    for (std::size_t n = 1; n != 0;) {
      const auto got = (*source)->read(piece.data(), piece.size());
      EXPECT_TRUE(got);
      n = got ? *got : 0;
      text.append(piece, 0, n);
    }
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }

  std::string text() const { return fmt::format("{}\n", fmt::join(lines_, "\n")); }
  std::vector<std::string>& lines() { return lines_; }
  const std::vector<std::string>& lines() const { return lines_; }

  /// Lines from `from` on that begin with the prefix: the first; their number if there is none.
  std::size_t find(std::string_view prefix, std::size_t from = 0) const {
    while (from < lines_.size() && !lines_[from].starts_with(prefix)) ++from;
    return from;
  }

  std::optional<std::uint64_t> counter(const std::string& name) const {
    for (const std::string& line : lines_)
      if (const auto at = place_of(line, name)) return number_at(line, *at);
    return std::nullopt;
  }
  void set(const std::string& name, std::uint64_t value) {
    for (std::string& line : lines_)
      if (const auto at = place_of(line, name))
        line.replace(*at, digits_at(line, *at), std::to_string(value));
  }
  /// Does nothing without such a counter.
  void add(const std::string& name, std::int64_t by) {
    if (const auto value = counter(name)) set(name, *value + static_cast<std::uint64_t>(by));
  }

  /// The line T: of a process.
  std::size_t task(std::uint64_t pid) const {
    for (std::size_t at = find("T: "); at < lines_.size(); at = find("T: ", at + 1))
      if (field(at, 1) == std::to_string(pid)) return at;
    ADD_FAILURE() << "no process " << pid;
    return lines_.size();
  }
  /// The lines M: of the areas of the process.
  std::vector<std::size_t> page_lines(std::uint64_t pid) const {
    std::vector<std::size_t> found;
    for (std::size_t at = task(pid) + 1; at < lines_.size() && is_of_area(at); ++at)
      if (lines_[at].starts_with("M: ")) found.push_back(at);
    return found;
  }
  std::vector<InjectedPage> pages(std::size_t line) const {
    std::vector<InjectedPage> pages;
    std::string_view rest = std::string_view(lines_[line]).substr(3);
    while (rest.find('=') != std::string_view::npos) {
      const std::string_view entry = rest.substr(0, rest.find('|'));
      rest.remove_prefix(std::min(rest.size(), entry.size() + 1));
      InjectedPage page;
      char flags[32] = "";
      EXPECT_EQ(std::sscanf(std::string(entry).c_str(), " %lX=%lX, %lu, %31[0-9A-F]", &page.va,
                            &page.value, &page.count, flags),
                4)
          << entry;
      page.flags = flags;
      pages.push_back(page);
    }
    return pages;
  }
  /// Replaces the entries of a line M: and adds the P: of what is listed then.
  void set_pages(std::size_t line, const std::vector<InjectedPage>& pages) {
    const auto before = static_cast<std::int64_t>(this->pages(line).size());
    std::string text = "M: ";
    for (const InjectedPage& page : pages)
      text += fmt::format("{:08X}={:08X}, {}, {} | ", page.va, page.value, page.count, page.flags);
    text.pop_back();
    lines_[line] = text;
    if (pages.empty()) lines_.erase(place(line));
    recount(line - 1);
    add_to_end(2, static_cast<std::int64_t>(pages.size()) - before);
  }

  /// Whether the first page of a line M: is not in Rss: zero page, hugetlb, no struct page.
  bool is_special(std::size_t line) const {
    const std::uint64_t flags = std::stoull(pages(line).front().flags, nullptr, 16);
    return (flags & (PM_PAGE_ZERO_PAGE | PM_PAGE_HUGE | PM_PAGE_NOPAGE)) != 0;
  }
  /// Whether the area of a line M: is the kernel's own, such as [vdso].
  bool is_of_kernel(std::size_t line) const {
    while (!lines_[line].starts_with("V: ")) --line;
    return field(line, 6).starts_with("[v");
  }
  /// A page in the area of an M: line, after all entries of the line; 0: there is no such page.
  std::uint64_t free_page(std::size_t line) const {
    std::size_t area = line;
    while (!lines_[area].starts_with("V: ")) --area;
    const std::uint64_t next = pages(line).back().va + 4096;
    const bool is_last = line + 1 == lines_.size() || !lines_[line + 1].starts_with("M: ");
    return is_last && next < std::stoull(field(area, 1), nullptr, 16) ? next : 0;
  }
  /// Removes the lines V:, P: and M: of the area of a line M:.
  void remove_area(std::size_t line) {
    std::size_t first = line;
    while (!lines_[first].starts_with("V: ")) --first;
    std::size_t end = first + 1;
    for (; is_of_area(end) && !lines_[end].starts_with("V: "); ++end)
      if (lines_[end].starts_with("M: "))
        add_to_end(2, -static_cast<std::int64_t>(pages(end).size()));
    lines_.erase(place(first), place(end));
    add_to_end(1, -1);
  }
  /// Removes a line R:.
  void remove_run(std::size_t line) {
    add("ram.runs", -1);
    add("ram.frames", -std::stoll(field(line, 1)));
    lines_.erase(place(line));
  }
  /// The last frame of a line R: is in none.
  void shorten_run(std::size_t line) {
    add("ram.frames", -1);
    set_field(line, 1, std::to_string(std::stoull(field(line, 1)) - 1));
  }

  /// The fields of a line, without blanks.
  std::string field(std::size_t line, std::size_t number) const {
    std::string_view rest = std::string_view(lines_[line]).substr(3);
    for (; number != 0; --number) rest.remove_prefix(std::min(rest.size(), rest.find(',') + 1));
    rest = rest.substr(0, rest.find(','));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    while (rest.ends_with(' ')) rest.remove_suffix(1);
    return std::string(rest);
  }
  void set_field(std::size_t line, std::size_t number, const std::string& value) {
    std::size_t at = 3;
    for (; number != 0; --number) at = lines_[line].find(',', at) + 1;
    lines_[line].replace(at, std::min(lines_[line].find(',', at), lines_[line].size()) - at,
                         " " + value);
    if (at == 3) lines_[line].erase(3, 1);
  }

 private:
  bool is_of_area(std::size_t line) const {
    const char kind = lines_[line][0];
    return kind == 'V' || kind == 'P' || kind == 'M' || kind == 'S';
  }
  static std::optional<std::size_t> place_of(const std::string& line, const std::string& name) {
    if (!line.starts_with("G: ")) return std::nullopt;
    const std::size_t at = line.find(" " + name + "=");
    return at == std::string::npos ? std::nullopt : std::optional(at + name.size() + 2);
  }
  static std::size_t digits_at(const std::string& line, std::size_t at) {
    return std::min(line.find_first_not_of("0123456789", at), line.size()) - at;
  }
  static std::uint64_t number_at(const std::string& line, std::size_t at) {
    return std::stoull(line.substr(at, digits_at(line, at)));
  }
  /// Writes the counts of the area that the line belongs to.
  void recount(std::size_t line) {
    std::size_t first = line;
    while (!lines_[first].starts_with("P: ")) --first;
    std::uint64_t all = 0, single = 0, shared = 0;
    std::size_t end = first + 1;
    for (; lines_[end].starts_with("M: ") || lines_[end].starts_with("S: "); ++end) {
      if (lines_[end].starts_with("S: ")) continue;
      for (const InjectedPage& page : pages(end)) {
        ++all;
        single += page.count == 1 ? 1 : 0;
        shared += page.count > 1 ? 1 : 0;
      }
    }
    const bool is_executable = field(first, 1) != "0", is_read_only = field(first, 2) != "0";
    lines_[first] = fmt::format("P: {}, {}, {}, {}, {}, {}", all, is_executable ? all : 0,
                                is_read_only ? all : 0, single, shared, field(first, 5));
    set_field(first - 1, 3, fmt::format("{:08X}", all * 4096));
  }
  /// To a number of E:.
  void add_to_end(std::size_t number, std::int64_t by) {
    const std::size_t end = find("E: ");
    set_field(end, number, std::to_string(std::stoll(field(end, number)) + by));
  }
  std::vector<std::string>::iterator place(std::size_t line) {
    return lines_.begin() + static_cast<std::ptrdiff_t>(line);
  }

  std::vector<std::string> lines_;
};

}  // namespace physmem
