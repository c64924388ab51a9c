// SPDX-License-Identifier: MIT
// Every physical page of user space with its flags, use count and owner, by address (I19; figure 9 of the
// paper).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/model/sparse_table.h"

namespace physmem {

struct PageRow {
  std::uint64_t address = 0;    ///< physical
  std::uint64_t pte_flags = 0;  ///< the bits of the page-table entry that are not the address
  std::uint64_t vma_flags = 0;  ///< with B and X
  std::uint64_t page_flags = 0;
  std::uint64_t count = 0;
  std::string_view owner;  ///< unit; for memory without one the process
  std::uint64_t kind = 0;  ///< of rows with the same kind all but the address is the same
};

/// One row a frame, from the first area that maps it. Eight bytes a frame: combinations of flags and counts,
/// and of owner and area flags, repeat, so a frame holds the numbers of two entries of a dictionary.
class PageDump : public Analysis {
 public:
  void on_header(const Header& header) override { header_ = header; }
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;

  void for_each(const std::function<void(const PageRow&)>& visit) const;

 private:
  struct Cell {
    std::uint32_t owner = 0;  ///< number in owners_ + 1; 0: the frame is not mapped
    std::uint32_t state = 0;  ///< number in states_
  };
  using State = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  ///< pte bits, page flags, count
  using Owner = std::pair<std::string, std::uint64_t>;                    ///< name, area flags

  std::uint32_t state_number(const State& state);

  Header header_;
  SparseTable<Cell, 256> frames_;
  std::map<State, std::uint32_t> state_numbers_;
  std::vector<State> states_;
  std::map<Owner, std::uint32_t> owner_numbers_;
  std::vector<Owner> owners_;
  std::uint32_t owner_ = 0;  ///< of the area that is being read, + 1
  State last_state_;
  std::uint32_t last_state_number_ = 0;
};

}  // namespace physmem
