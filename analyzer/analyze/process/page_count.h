// SPDX-License-Identifier: MIT
// The number of physical pages that user space uses (I18; figure 8 of the paper).
#pragma once

#include <cstdint>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// Distinct frames: one that many processes map counts once. hugetlb counts in base pages. The zero
/// page and memory without struct page are not counted.
class PageCount : public Analysis {
 public:
  bool needs_first_seen() const override { return true; }
  void on_header(const Header& header) override { has_frames_ = header.has_pages; }
  void on_area_end(const Process&, const Area& area) override {
    pages_ +=
        area.tally.file.first_seen + area.tally.anon.first_seen + area.tally.special_first_seen;
  }

  std::uint64_t pages() const { return pages_; }
  /// False without M: lines, which have the frames.
  bool is_known() const { return has_frames_; }

 private:
  std::uint64_t pages_ = 0;
  bool has_frames_ = false;
};

}  // namespace physmem
