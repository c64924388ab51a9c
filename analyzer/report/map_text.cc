// SPDX-License-Identifier: MIT
#include "analyzer/report/map_text.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <utility>

#include "analyzer/shape/map_width.h"

namespace physmem {

void MapText::line(const PageMap::Line& line) {
  if (columns_ != 0 && line.skipped == 0) return add_cells(line);
  end();
  const std::size_t indent = columns_ == 0 ? 4 : 1;
  if (line.skipped != 0)
    fmt::print(out_, "{:{}}{:08X}  … {} {} …\n", "", indent, line.address, line.skipped,
               line.cells.empty() ? "pages without a physical page" : "more pages like these");
  else
    fmt::print(out_, "{:{}}{:08X} |{}|\n", "", indent, line.address, line.cells);
}

void MapText::end() {
  write_rest();
  write_repeats();
  last_.clear();
}

void MapText::add_cells(const PageMap::Line& line) {
  if (line.address != address_ + cells_.size() * page_size_) {
    end();
    address_ = line.address;
  }
  cells_ += line.cells;
  const std::size_t full = map_cells(columns_, address_);
  for (; cells_.size() >= full; address_ += full * page_size_) {
    write_full(cells_.substr(0, full));
    cells_.erase(0, full);
  }
}

/// Blanks at the end are pages after the end of the map.
void MapText::write_rest() {
  cells_.erase(cells_.find_last_not_of(' ') + 1);
  if (cells_.empty()) return;
  write_repeats();
  write(address_, std::exchange(cells_, {}));
}

void MapText::write_full(const std::string& cells) {
  if (cells == last_) {
    ++repeated_;
    return;
  }
  write_repeats();
  const std::size_t end = cells.find_last_not_of(' ') + 1;
  if (end == 0) return;
  write(address_, cells.substr(0, end));
  last_ = cells;
}

/// The line itself, if it is repeated only once.
void MapText::write_repeats() {
  const std::uint64_t repeated = std::exchange(repeated_, 0);
  if (repeated == 0) return;
  const std::size_t pages = last_.size();
  if (repeated == 1) return write(address_ - pages * page_size_, last_);
  const bool is_uniform = last_.find_first_not_of(last_.front()) == last_.npos;
  fmt::print(out_, " {:08X}  … {} more lines of {} pages{}\n",
             address_ - repeated * pages * page_size_, repeated, pages,
             is_uniform ? fmt::format(": {}", last_.front()) : " like this");
}

void MapText::write(std::uint64_t address, const std::string& cells) {
  fmt::print(out_, " {:08X} |{}|\n", address, cells);
}

}  // namespace physmem
