// SPDX-License-Identifier: MIT
// How many physical pages user space uses (I18; figure 8 of the paper).
#pragma once

#include <cstdint>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// Distinct frames: one that many processes map counts once. hugetlb counts by base pages; the zero
/// page and memory without struct page are nobody's.
class PageCount : public Analysis {
 public:
  bool wants_first_seen() const override { return true; }
  void on_header(const Header& header) override { has_frames_ = header.has_pages; }
  void on_area_end(const Process&, const Area& area) override {
    pages_ +=
        area.tally.file.first_seen + area.tally.anon.first_seen + area.tally.special_first_seen;
  }

  std::uint64_t pages() const { return pages_; }
  /// Without M: lines there are no frames to tell apart.
  bool is_known() const { return has_frames_; }

 private:
  std::uint64_t pages_ = 0;
  bool has_frames_ = true;
};

}  // namespace physmem
