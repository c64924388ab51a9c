// SPDX-License-Identifier: MIT
// Every physical page of user space with its flags, use count and owner, by address (I19; figure 9 of the
// paper).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/model/sparse_table.h"

namespace physmem {

/// One row, or as many as `pages`: frames one behind the other that have all but the address in common.
struct PageRow {
  std::uint64_t address = 0;    ///< physical, of the first
  std::uint64_t pte_flags = 0;  ///< the bits of the page-table entry that are not the address
  std::uint64_t vma_flags = 0;  ///< with B and X
  std::uint64_t page_flags = 0;
  std::uint64_t count = 0;
  std::string_view owner;  ///< unit; for memory without one the process
  std::size_t kind = 0;    ///< of rows with the same kind all but the address is the same; from 0 on
  std::uint64_t pages = 1;
};

/// One row a frame, from the first area that maps it. Four bytes a frame (in stretches of 512): what rows have in common repeats,
/// so a frame holds the number of an entry of a dictionary. An entry takes some 100 bytes.
class PageDump : public Analysis {
 public:
  void on_header(const Header& header) override { header_ = header; }
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;

  void for_each(const std::function<void(const PageRow&)>& visit) const;
  /// Of rows: PageRow::kind is below it.
  std::size_t kinds() const { return kinds_.size(); }

 private:
  using Cell = std::uint32_t;  ///< number in kinds_ + 1; 0: the frame is not mapped
  struct Owner {
    std::string name;
    std::uint64_t vma_flags = 0;
  };
  /// What a row says behind its address.
  struct Kind {
    const Owner* owner = nullptr;
    std::uint64_t pte_flags = 0;
    std::uint64_t page_flags = 0;
    std::uint64_t count = 0;
    bool operator==(const Kind&) const = default;
  };
  struct HashOf {
    std::size_t operator()(const Kind& kind) const;
  };

  void put(std::span<Cell> cells, const Kind& kind);
  Cell cell_of(const Kind& kind);

  Header header_;
  SparseTable<Cell, 512> frames_;
  std::map<std::string, std::map<std::uint64_t, Owner>, std::less<>>
      owners_;                    ///< by name, then by area flags
  const Owner* owner_ = nullptr;  ///< of the area that is being read
  std::unordered_map<Kind, Cell, HashOf> cells_;
  std::vector<Kind> kinds_;
};

}  // namespace physmem
