// SPDX-License-Identifier: MIT
#include "analyzer/report/row_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyzer/report/short_path.h"
#include "program/printable.h"

namespace physmem {
namespace {

constexpr const char* kLeftOut = "…";

class LabelFitter {
 public:
  LabelFitter(const Font& font, double room, Canvas& ruler)
      : font_(font), room_(room), ruler_(ruler) {}

  /// Keeps as many folders at the end of a path as fit. In other labels, the middle is left out.
  std::string fitted(const std::string& label) {
    if (fits(label)) return label;
    for (std::size_t at = 1; is_path(label) && (at = label.find('/', at)) != std::string::npos;
         ++at)
      if (std::string end = kLeftOut + label.substr(at); fits(end)) return end;
    return ruler_.fitted(is_path(label) ? kLeftOut + file_name(label) : label, font_, room_);
  }

  /// Keeps the beginning of a path, as far as it fits, and the file name.
  std::string with_beginning(const std::string& path) {
    const std::string end = kLeftOut + file_name(path);
    std::string result = fitted(path);
    for (std::size_t at = 0; at < path.size();
         at += std::max<std::size_t>(utf8_length(path.substr(at)), 1)) {
      std::string longer = path.substr(0, at) + end;
      if (!fits(longer)) break;
      result = std::move(longer);
    }
    return result;
  }

  std::string numbered(const std::string& label, std::size_t number) {
    const std::string end = fmt::format(" ({})", number);
    return ruler_.fitted(label, font_, room_ - ruler_.width(end, font_)) + end;
  }

 private:
  bool fits(const std::string& text) { return ruler_.width(text, font_) <= room_; }

  const Font& font_;
  double room_;
  Canvas& ruler_;
};

std::map<std::string, std::size_t> counts_of(const std::vector<std::string>& texts) {
  std::map<std::string, std::size_t> counts;
  for (const std::string& text : texts) ++counts[text];
  return counts;
}

}  // namespace

std::vector<std::string> row_labels(const std::vector<std::string>& labels, const Font& font,
                                    double room, Canvas& ruler) {
  LabelFitter fitter(font, room, ruler);
  std::vector<std::string> texts;
  texts.reserve(labels.size());
  for (const std::string& label : labels) texts.push_back(fitter.fitted(label));
  const auto by_end = counts_of(texts);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (by_end.at(texts[i]) > 1 && is_path(labels[i])) texts[i] = fitter.with_beginning(labels[i]);
  std::set<std::string> taken;
  for (std::string& text : texts) {
    const std::string same = text;
    for (std::size_t number = 2; !taken.insert(text).second; ++number)
      text = fitter.numbered(same, number);
  }
  return texts;
}

}  // namespace physmem
