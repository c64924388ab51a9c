// SPDX-License-Identifier: MIT
// Pages of each process by use (I12, figures 2 and 3 of the paper).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// Pages by region, separately for writable and read-only areas.
class RegionPages {
 public:
  void add(Region region, bool writable, std::uint64_t pages) {
    at(region)[writable ? 1 : 0] += pages;
  }
  std::uint64_t of(Region region) const { return read_only(region) + writable(region); }
  std::uint64_t read_only(Region region) const {
    return pages_[static_cast<std::size_t>(region)][0];
  }
  std::uint64_t writable(Region region) const {
    return pages_[static_cast<std::size_t>(region)][1];
  }

 private:
  std::array<std::uint64_t, 2>& at(Region region) {
    return pages_[static_cast<std::size_t>(region)];
  }
  std::array<std::array<std::uint64_t, 2>, kRegions> pages_{};
};

/// The paper's columns. Identities: rw = stack + data + heap + lib_bss + lib_data, rx = text +
/// lib_text, total = rw + rx; single + multi = lib_text (of physical pages), less pages with use
/// count 0.
///
/// The paper has only programs and libraries: other files, shared memory and unexplained pages
/// count as libraries, by permission. special is left out, so that total is the kernel's Rss.
struct PaperColumns {
  std::uint64_t stack = 0, data = 0, text = 0, heap = 0, lib_bss = 0, lib_data = 0, lib_text = 0;

  explicit PaperColumns(const RegionPages& pages);
  std::uint64_t rw() const { return stack + data + heap + lib_bss + lib_data; }
  std::uint64_t rx() const { return text + lib_text; }
  std::uint64_t total() const { return rw() + rx(); }
};

struct BasicRow {
  std::string name;
  std::uint64_t pid = 0;
  bool is_kernel_thread = false;
  bool is_read = true;  ///< false: the snapshot does not have its areas
  RegionPages physical;
  RegionPages virtual_pages;
  std::uint64_t single = 0;  ///< of the pages that count as library text: used once
  std::uint64_t multi = 0;   ///< the same, used more often
  std::uint64_t unique = 0;  ///< pages that no other process maps
  PageShare share;
  bool is_share_known = true;  ///< false if the snapshot does not list all of its pages
  std::uint64_t swapped = 0;
};

class Basic : public Analysis {
 public:
  bool needs_unique() const override { return true; }
  void on_process(const Process& process) override;
  const std::vector<BasicRow>& rows() const { return rows_; }

 private:
  std::vector<BasicRow> rows_;
};

}  // namespace physmem
