// SPDX-License-Identifier: MIT
// Transparent huge pages that processes map as a whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analyze/analysis.h"

namespace physmem {

/// Pages. As in /proc/PID/smaps: AnonHugePages; FilePmdMapped and ShmemPmdMapped.
struct HugeUse {
  std::uint64_t anon = 0;
  std::uint64_t file = 0;

  std::uint64_t pages() const { return anon + file; }
  HugeUse& operator+=(const HugeUse& other) {
    anon += other.anon;
    file += other.file;
    return *this;
  }
};

/// Finds them in runs of pages: all pages of one folio of Header::huge_page_order(), at an address
/// and a frame that are multiples of its size. If the kernel has split the entry that maps one, as
/// it does before it frees a part, it still counts here, but not in smaps.
class HugeMappings {
 public:
  void begin(const Header& header);
  /// False: without page flags they are not known.
  bool is_known() const { return huge_pages_ != 0; }
  void begin_area() { found_ = 0; }
  /// The next runs of the area. Returns the huge pages that end in them.
  HugeUse add(std::span<const PageRun> runs);

 private:
  bool begins_folio(const PageRun& run) const;

  std::uint64_t page_bytes_ = 4096;
  std::uint64_t huge_pages_ = 0;  ///< pages of a huge page
  std::uint64_t phys_mask_ = 0;
  std::uint64_t found_ = 0;  ///< pages of the folio that has begun; 0: none
  PageRun last_;             ///< of that folio
};

/// The same for each process with anonymous memory.
class ProcessHugePages : public Analysis {
 public:
  struct Row {
    std::string name;
    std::uint64_t pid = 0;
    std::uint64_t anonymous = 0;  ///< resident pages, huge ones included
    HugeUse huge;

    /// Anonymous pages that are in no huge page.
    std::uint64_t small() const { return anonymous - std::min(anonymous, huge.anon); }
  };

  void on_header(const Header& header) override;
  void on_area(const Process&, const Area&) override { mappings_.begin_area(); }
  void on_pages(const Process&, const Area&, std::span<const PageRun> runs) override {
    huge_ += mappings_.add(runs);
  }
  void on_process(const Process& process) override;

  bool is_known() const { return mappings_.is_known(); }
  /// Those with the most anonymous memory in small pages come first.
  std::vector<Row> rows() const;

 private:
  HugeMappings mappings_;
  HugeUse huge_;  ///< of the process that is read
  std::vector<Row> rows_;
};

}  // namespace physmem
