// SPDX-License-Identifier: MIT
#include "analyzer/report/column_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "program/printable.h"

namespace physmem {
namespace {

constexpr std::size_t kLeastText = 3;  ///< of in_columns()

class TableFitter {
 public:
  TableFitter(const TableHead& head, const std::vector<std::size_t>& widths, std::size_t columns)
      : head_(head),
        natural_(widths),
        columns_(columns),
        fit_{widths, std::vector<bool>(widths.size(), true)} {}

  ColumnFit operator()() {
    if (columns_ == 0 || width() <= columns_) return std::move(fit_);
    for (const std::string& title : head_.idle) leave_out(title);
    if (narrow(kEasyText)) return std::move(fit_);
    for (const std::string& title : head_.spare)
      if (title != head_.kept && leave_out(title) && narrow(kEasyText)) return std::move(fit_);
    while (!narrow(kMinText) && leave_out_last()) continue;
    shorten(kLeastText, [](const Column&) { return true; });
    return std::move(fit_);
  }

 private:
  std::size_t width() const {
    std::size_t width = 0, shown = 0;
    for (std::size_t i = 0; i < natural_.size(); ++i) {
      if (!fit_.is_shown[i]) continue;
      width += fit_.widths[i];
      ++shown;
    }
    return width + head_.separator.size() * (std::max<std::size_t>(shown, 1) - 1);
  }

  /// Shortens the texts, from their natural widths: names to kMinText, others to `least`. True if
  /// the table fits then.
  bool narrow(std::size_t least) {
    fit_.widths = natural_;
    return shorten(kEasyText, [](const Column& c) { return c.kind == Column::Kind::kText; }) ||
           shorten(kMinText, [](const Column& c) { return c.is_shortened; }) ||
           shorten(least, [](const Column& c) { return c.kind == Column::Kind::kText; });
  }

  /// Narrows the widest of these columns until the table fits, but none below `least`.
  template <class May>
  bool shorten(std::size_t least, May may) {
    for (std::size_t width = this->width(); width > columns_; --width) {
      std::size_t widest = natural_.size();
      for (std::size_t i = 0; i < natural_.size(); ++i)
        if (fit_.is_shown[i] && may(head_.columns[i]) && !head_.columns[i].is_whole &&
            fit_.widths[i] > least &&
            (widest == natural_.size() || fit_.widths[i] > fit_.widths[widest]))
          widest = i;
      if (widest == natural_.size()) return false;
      --fit_.widths[widest];
    }
    return true;
  }

  bool leave_out(const std::string& title) {
    bool has_left_out = false;
    for (std::size_t i = 0; i < natural_.size(); ++i) {
      if (head_.columns[i].title != title) continue;
      has_left_out = has_left_out || fit_.is_shown[i];
      fit_.is_shown[i] = false;
    }
    return has_left_out;
  }

  /// Not the first column, which says what a row is about.
  bool leave_out_last() {
    for (const bool is_text : {false, true})
      for (std::size_t i = natural_.size(); i-- > 1;) {
        if (!fit_.is_shown[i] || head_.columns[i].title == head_.kept ||
            (head_.columns[i].kind == Column::Kind::kText) != is_text)
          continue;
        fit_.is_shown[i] = false;
        return true;
      }
    return false;
  }

  const TableHead& head_;
  const std::vector<std::size_t>& natural_;
  std::size_t columns_;
  ColumnFit fit_;
};

}  // namespace

ColumnFit fit_columns(const TableHead& head, const std::vector<std::size_t>& widths,
                      std::size_t columns) {
  return TableFitter(head, widths, columns)();
}

std::string left_out_note(const TableHead& head, const ColumnFit& fit) {
  std::string titles;
  for (std::size_t i = 0; i < fit.is_shown.size(); ++i)
    if (!fit.is_shown[i])
      titles += (titles.empty() ? "" : ", ") + for_terminal(head.columns[i].title);
  if (titles.empty()) return "";
  return fmt::format("left out: {} (terminal too narrow)", titles);
}

}  // namespace physmem
