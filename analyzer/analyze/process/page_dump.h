// SPDX-License-Identifier: MIT
// Every physical page of user space with its flags, use count and owner, by address (I19; figure 9
// of the paper).
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

/// The columns of a page's row after its address.
struct PageKind {
  std::uint64_t pte_flags = 0;  ///< the bits of the page-table entry that are not the address
  std::uint64_t vma_flags = 0;  ///< with B and X
  std::uint64_t page_flags = 0;
  std::uint64_t count = 0;
  std::string_view owner;  ///< unit, or for memory without one the process
};

/// The rows of adjacent frames of one kind.
struct PageRows {
  std::uint64_t address = 0;  ///< physical, of the first
  std::uint64_t pages = 0;
  std::size_t kind = 0;  ///< number for PageDump::kind()
};

/// One row per frame, from the first area that maps it.
///
/// Memory: two bytes per frame (in stretches of 1024) for the number of an entry in a dictionary of
/// kinds. An entry takes some 100 bytes. Frames whose entry is not among the first 65,534 take four
/// more bytes (in stretches of 64).
class PageDump : public Analysis {
 public:
  void on_header(const Header& header) override { header_ = header; }
  void on_area(const Process&, const Area&) override { owner_ = nullptr; }
  void on_new_frames(const Process& process, const Area& area,
                     std::span<const PageRun> runs) override;
  void on_end() override { put_waiting(); }
  bool needs_new_frames() const override { return true; }

  /// Visits rows in order of addresses. Call it after on_end().
  void for_each(const std::function<void(const PageRows&)>& visit) const;
  std::size_t kinds() const { return kinds_.size(); }
  /// `number` is PageRows::kind.
  PageKind kind(std::size_t number) const;

 private:
  /// Index in kinds_ + 1; 0: the frame is not mapped; kLarge: see large_.
  using Cell = std::uint16_t;
  static constexpr Cell kLarge = 0xFFFF;
  struct Owner {
    std::string name;
    std::uint64_t vma_flags = 0;
  };
  /// PageKind as it is stored.
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

  /// A run whose cells are being prefetched, with the owner of its area.
  struct Waiting {
    PageRun run;
    const Owner* owner = nullptr;
  };

  const Owner& owner_of(const Process& process, const Area& area);
  void put_waiting();
  void put_run(const Waiting& waiting);
  void put(std::uint64_t frame, std::span<Cell> cells, const Kind& kind);
  std::uint32_t number_of(const Kind& kind);
  std::size_t kind_at(std::uint64_t frame, Cell cell) const;

  Header header_;
  SparseTable<Cell, 1024> frames_;
  SparseTable<std::uint32_t, 64> large_;  ///< index in kinds_ + 1
  std::map<std::string, std::map<std::uint64_t, Owner>, std::less<>>
      owners_;                    ///< by name, then area flags
  const Owner* owner_ = nullptr;  ///< of the current area, set when a row needs it
  std::vector<Waiting> waiting_;  ///< of several areas, in their order
  std::unordered_map<Kind, std::uint32_t, HashOf> numbers_;
  std::vector<Kind> kinds_;
};

}  // namespace physmem
