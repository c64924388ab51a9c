// SPDX-License-Identifier: MIT
// The forms of a report. shape/ turns the rows of an analysis into one of these. report/ draws it,
// and does not count.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace physmem {

/// A word of a fixed set: CSV, JSON and SQLite have the word, text has its title.
struct Word {
  std::string word;
  std::string title;

  bool operator==(const Word&) const = default;
};

/// Sizes, in pages. Their difference is written: for people with its sign, otherwise as a number.
struct SizeChange {
  std::uint64_t before = 0;
  std::uint64_t after = 0;

  bool operator==(const SizeChange&) const = default;
};

/// Nothing (not known, not applicable), a text, a whole number, a number with two decimals, a word,
/// or in a column of sizes, a change.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, double, Word, SizeChange>;

struct Column {
  enum class Kind {
    kText,
    kNumber,  ///< right-aligned in text
    kSize,    ///< pages, whole or not, which are written in the unit of the answer
    kHex,     ///< 0X%08X; a string in JSON, where numbers lose bits above 2^53
  };
  std::string title;  ///< includes the unit unless it is pages, or a size
  Kind kind = Kind::kNumber;
  std::string key = {};  ///< name in JSON; if empty, derived from the title
  /// On a terminal that is too narrow for the table, the middle of its texts is left out before
  /// columns are.
  bool is_shortened = false;
  bool is_whole = false;  ///< never shortened: a part of it, as of a time, says nothing
};

/// Of times, as 2026-11-21T01:29:07Z.
inline Column time_column(std::string title) {
  return {.title = std::move(title), .kind = Column::Kind::kText, .is_whole = true};
}

struct TableHead {
  std::string name;   ///< of the report: basic, totals, …
  std::string title;  ///< one line above a text table; not in CSV
  std::vector<Column> columns;
  std::string separator = "  ";  ///< between the columns of a text table
  bool is_figure_2 = false;      ///< exactly as in the paper: in CSV, a blank follows each comma
  /// Titles of columns that a narrow terminal leaves out, in this order.
  std::vector<std::string> spare = {};
  /// Titles of columns that are all 0, which are left out before names are shortened.
  std::vector<std::string> idle = {};
  bool has_plain_hex = false;  ///< in text 0x7f…, instead of the paper's 0X7F…
  std::string kept = {};       ///< title of a column that is never left out, such as the order
};

struct Table {
  TableHead head;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes = {};  ///< lines below the table, in text only
};

enum class SizeUnit { kMib, kKib, kPages, kBytes };

/// Stacked horizontal bars: one group per process or unit, one colour per kind of memory. Figures 3
/// and 6 of the paper.
struct BarChart {
  struct Group {
    std::string label;
    /// One per bar title; each has one value per series, in pages, or none: it is not known.
    std::vector<std::vector<std::uint64_t>> bars;
  };
  std::string title;
  std::string subtitle;
  std::vector<std::string> series;  ///< legend
  /// One for each series, as red, green and blue in 24 bits; empty: the palette's colours.
  std::vector<std::uint32_t> colours = {};
  std::vector<std::string> bar_titles;  ///< {"physical"} or {"physical", "virtual"}
  std::vector<Group> groups;            ///< in drawing order
  std::uint64_t page_size = 4096;       ///< bytes, for the second scale
  SizeUnit unit = SizeUnit::kPages;     ///< of the numbers at the bars
};

/// Parts of a whole as one bar of letters.
struct ShareBar {
  struct Part {
    char letter = ' ';
    std::uint64_t value = 0;
  };
  std::vector<Part> parts;
};

/// Pages as cells, 64 per line: '.' not resident, '1'…'9' number of mappings, '#' ten or more, ' '
/// no virtual page. Figures 4 and 5 of the paper.
struct PageMap {
  struct Line {
    std::uint64_t address = 0;  ///< of the first cell: virtual, or an offset in the unit's file
    std::string cells;          ///< at most 64
    /// Pages that the line represents instead of cells, otherwise 0: without cells, non-resident
    /// ones; with them, pages like these.
    std::uint64_t skipped = 0;
  };
  struct Block {
    std::string heading;
    std::vector<Line> lines;
    std::vector<std::string> summary = {};  ///< lines below the maps of a process or unit
  };
  std::string title;
  std::vector<Block> blocks;
  std::string subtitle = {};  ///< empty: one sentence on how to read the squares
  bool is_of_files = false;   ///< pages in the cache; '0': no process maps the page
};

/// Nested rectangles whose area is proportional to their pages.
struct Treemap {
  struct Node {
    std::string label;
    std::uint64_t pages = 0;          ///< with its children's; the difference stays empty
    std::vector<Node> children = {};  ///< largest first
    std::string tooltip = {};         ///< the label with all that it stands for
  };
  std::string title;
  std::string subtitle;
  std::vector<Node> nodes;  ///< each has a colour; largest first
  std::uint64_t page_size = 4096;
};

/// Pageblocks as cells: a colour for the use, the lighter the more of it is free, a dot for pages
/// that cannot be moved.
struct BlockMap {
  struct Cell {
    std::uint8_t use = 0;   ///< index in uses
    std::uint8_t free = 0;  ///< percent
    bool has_unmovable = false;
    bool is_hole = false;
  };
  struct Part {
    std::string heading;
    std::uint64_t address = 0;  ///< of the first cell
    std::vector<Cell> cells;
  };
  std::string title;
  std::string subtitle;
  struct Use {
    std::string label;
    std::uint32_t colour = 0;  ///< red, green, blue
  };
  std::vector<Use> uses;  ///< legend; the first is free memory
  std::vector<Part> parts;
  std::uint64_t cell_bytes = 0;
};

/// Lines over a common axis, in panels below each other, with coloured and named bands in the
/// background of all panels.
struct Series {
  struct Line {
    std::string label;
    /// x ascending; NaN as y is a gap.
    std::vector<std::pair<double, double>> points = {};
    bool has_marks = false;  ///< mark each point: for few separate measurements
    bool is_fit = false;     ///< of the line with the same label: dashed
  };
  struct Level {
    double y = 0;
    std::string label;
  };
  struct Panel {
    std::string title;  ///< title of the vertical axis, with its unit
    std::vector<Line> lines = {};
    std::vector<Level> levels = {};  ///< horizontal lines, such as thresholds
    bool is_logarithmic = false;
  };
  struct Band {
    double begin = 0;
    double end = 0;
    std::string label;
    unsigned severity = 0;  ///< 0: invisible, to 5: darkest
    char mark = 0;          ///< short label for narrow bands; 0: the digit of the severity
  };
  std::string title;
  std::string subtitle = {};
  std::string x_title = {};  ///< with its unit
  bool has_logarithmic_x = false;
  bool has_date_x = false;  ///< x is in days since 1970, before 10000, and shown as dates
  /// x is in seconds after this time (seconds since 1970), and shown as the local time of day.
  std::optional<std::int64_t> clock_zero = {};
  std::vector<Panel> panels = {};
  std::vector<Band> bands = {};         ///< ascending, not overlapping
  std::vector<std::string> notes = {};  ///< lines below the picture
};

}  // namespace physmem
