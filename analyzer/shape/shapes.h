// SPDX-License-Identifier: MIT
// What a report may look like. An analysis's rows become one of these in shape/; report/ draws it
// and counts nothing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace physmem {

/// Nothing (not known, not applicable), a text, a whole number, or a number with two decimals.
using Cell = std::variant<std::monostate, std::string, std::uint64_t, double>;

struct Column {
  enum class Kind {
    kText,
    kNumber,  ///< right-aligned in text
    kHex,     ///< 0X%08X; a string in JSON, where numbers lose bits above 2^53
  };
  std::string title;  ///< names the unit when it is not pages
  Kind kind = Kind::kNumber;
  std::string key = {};  ///< name in JSON; made from the title when empty
};

struct TableHead {
  std::string name;   ///< of the report: basic, totals, …
  std::string title;  ///< one line above a text table; not in CSV
  std::vector<Column> columns;
  std::string separator = "  ";  ///< between the columns of a text table
  bool is_figure_2 = false;      ///< of the paper, to the letter: in CSV a blank follows each comma
};

struct Table {
  TableHead head;
  std::vector<std::vector<Cell>> rows;
  std::vector<std::string> notes = {};  ///< lines below the table, in text only
};

/// Stacked horizontal bars: one group a process or unit, one colour a kind of memory. Figures 3 and
/// 6 of the paper.
struct BarChart {
  struct Group {
    std::string label;
    std::vector<std::vector<std::uint64_t>>
        bars;  ///< as many as bar_titles; each has one value a series, in pages
  };
  std::string title;
  std::string subtitle;
  std::vector<std::string> series;      ///< legend
  std::vector<std::string> bar_titles;  ///< {"physical"} or {"physical", "virtual"}
  std::vector<Group> groups;            ///< in the order they are drawn
  std::uint64_t page_size = 4096;       ///< bytes, for the second scale
};

/// Pages as cells, 64 a line: '.' not resident, '1'…'9' that many mappings, '#' ten or more, ' ' no
/// virtual page. Figures 4 and 5 of the paper.
struct PageMap {
  struct Line {
    std::uint64_t address = 0;  ///< of the first cell: virtual, or an offset in the unit's file
    std::string cells;          ///< at most 64
    std::uint64_t skipped =
        0;  ///< not 0: this many pages without a physical page stand here instead of cells
  };
  struct Block {
    std::string heading;
    std::vector<Line> lines;
    std::vector<std::string> summary = {};  ///< lines below the maps of a process or unit
  };
  std::string title;
  std::vector<Block> blocks;
  std::string subtitle = {};  ///< empty: one sentence on how to read the squares
};

/// Lines over one common axis, in panels below each other, and coloured bands behind all of them:
/// what happened when, and what it was called.
struct Series {
  struct Line {
    std::string label;
    std::vector<std::pair<double, double>> points =
        {};                  ///< x ascending; a y that is no number is a gap
    bool has_marks = false;  ///< each point is marked: few, measured one by one
  };
  struct Level {
    double y = 0;
    std::string label;
  };
  struct Panel {
    std::string title;  ///< of the vertical axis, with its unit
    std::vector<Line> lines = {};
    std::vector<Level> levels = {};  ///< horizontal lines, such as thresholds
    bool is_logarithmic = false;
  };
  struct Band {
    double begin = 0;
    double end = 0;
    std::string label;
    unsigned severity = 0;  ///< 0: nothing to see; up to 5: ever darker
    char mark = 0;  ///< stands for the label where there is no room; 0: the severity's digit does
  };
  std::string title;
  std::string subtitle = {};
  std::string x_title = {};  ///< with its unit
  bool has_logarithmic_x = false;
  std::vector<Panel> panels = {};
  std::vector<Band> bands = {};         ///< ascending, not overlapping
  std::vector<std::string> notes = {};  ///< lines below the picture
};

}  // namespace physmem
