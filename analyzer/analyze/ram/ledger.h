// SPDX-License-Identifier: MIT
// The ledger: every frame of RAM by class and owner, and the kernel's own totals next to it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/owner_directory.h"
#include "analyzer/analyze/ram/ram_verdict.h"
#include "analyzer/model/ram.h"

namespace physmem {

/// An owner with the frames that it has.
struct OwnerRow {
  RamOwner owner;
  std::uint64_t pages = 0;
  std::uint64_t mapped = 0;  ///< of them, mapped by at least one process
  std::uint64_t dirty = 0;
  std::uint64_t active = 0;
};

/// Unmarked pages that a total of the kernel explains.
struct ExplainedPages {
  std::string_view word;  ///< of a class, or free_no_zone, boot, zswap
  std::uint64_t pages = 0;
};

class Ledger : public Analysis {
 public:
  void on_header(const Header& header) override;
  void on_counters(std::span<const Counter> counters) override;
  void on_area(const Process&, const Area& area) override { directory_.on_area(area.vma); }
  void on_task(const Task& task) override;
  void on_zone(const Zone& zone) override;
  void on_owner(const RamOwner& owner) override;
  void on_ram(const RamRun& run) override;

  /// Whether the snapshot has R: lines.
  bool is_known() const { return header_.ram == Header::Ram::kAll; }
  const Header& header() const { return header_; }
  bool has_runs() const { return has_runs_; }
  /// Frames, without holes and offline memory.
  std::uint64_t frames() const;
  std::uint64_t of(FrameClass use) const { return classes_[use]; }
  /// Frames with PM_PAGE_SWAPCACHE, by class.
  std::uint64_t swap_cached(FrameClass use) const { return swap_cached_[use]; }
  /// Page tables that the kernel counts: their frames have a type.
  std::uint64_t typed_tables() const { return typed_tables_; }
  /// Free pages in blocks of this order; kUnknownOrder: those whose order is not known.
  std::uint64_t free_of(std::size_t order) const { return free_of_[order]; }
  static constexpr std::size_t kUnknownOrder = 0x3F;
  /// Anonymous frames that a process maps.
  std::uint64_t mapped_anon() const { return mapped_anon_; }
  const std::vector<Zone>& zones() const { return zones_; }
  /// The frames that zones span and a run covers.
  std::uint64_t covered() const { return covered_; }
  /// The frames that zones span, each once.
  std::uint64_t spanned() const;
  std::optional<RamTotal> total(std::string_view name) const;
  std::optional<std::uint64_t> counter(std::string_view name) const;
  /// Online ones; 0 if the snapshot does not state their number.
  std::uint64_t cpus() const;
  /// By how many pages a total changed between the lowest reading and the highest; 0 without it.
  std::uint64_t swing(std::string_view total) const;
  /// Pages that came and went between the two readings of the totals: both allocated and freed.
  std::uint64_t churn() const;
  /// Pages that the kernel moved to other frames in this time, or tried to. A page may be read in
  /// both frames, or in neither.
  std::uint64_t migrated() const { return swing("migrated"); }
  /// By how many pages frames of a class, which are read one after another, may differ from the
  /// total because they changed in the meantime. If all readings of the total are the same, pages
  /// came and went between two of them at most.
  std::uint64_t motion_of(const RamTotal& total) const;
  /// Sum of the counters PREFIX.*; 0 if there are none.
  std::uint64_t sum_of(std::string_view prefix) const;
  /// The counters PREFIX.NAME, by NAME.
  std::vector<std::pair<std::string, std::uint64_t>> counters_of(std::string_view prefix) const;

  /// Owners in the order of their ids.
  const std::vector<OwnerRow>& owners() const { return owners_; }
  /// The index in owners() of the owner with this id; their number if there is none.
  std::size_t row_of(std::uint64_t id) const;
  /// The owner with this id, or null.
  const RamOwner* find_owner(std::uint64_t id) const;
  /// Frames of a class whose owner is known.
  std::uint64_t owned(FrameClass use) const { return owned_[use]; }
  /// The same of all classes.
  std::uint64_t owned() const;

  /// What of the unmarked pages the totals explain. Parts without pages are left out.
  std::vector<ExplainedPages> explained() const;
  /// The same, the smallest first, and not more pages than are unmarked: what the totals explain
  /// too much is taken off the largest parts.
  std::vector<ExplainedPages> explained_unmarked() const;
  /// Unmarked and unknown pages less explained_unmarked().
  std::uint64_t residue() const;
  /// Pages that the totals explain although they are not unmarked. While the system runs, up to
  /// moved() pages may be.
  std::uint64_t explained_too_much() const;
  /// By how many pages the totals of explained() changed while frames were read, with those that
  /// came and went.
  std::uint64_t moved() const;

 private:
  std::uint64_t covered_by(const RamRun& run);
  std::uint64_t missing(std::string_view total, std::initializer_list<FrameClass> classes) const;
  std::uint64_t hidden(std::string_view total, FrameClass use) const;
  std::uint64_t boot_memory() const;
  std::uint64_t zswap_without_zsmalloc() const;
  std::uint64_t free_in_no_zone() const;

  Header header_;
  std::array<std::uint64_t, kFrameClasses> classes_{};
  std::array<std::uint64_t, kFrameClasses> owned_{};
  std::array<std::uint64_t, kFrameClasses> swap_cached_{};
  std::array<std::uint64_t, kUnknownOrder + 1> free_of_{};
  std::uint64_t mapped_anon_ = 0;
  std::uint64_t typed_tables_ = 0;
  std::uint64_t covered_ = 0;
  bool has_runs_ = false;
  std::vector<Zone> zones_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans_;  ///< of zones, joined, ascending
  std::size_t span_ = 0;  ///< the first that does not end before the last run
  OwnerDirectory directory_;
  std::vector<OwnerRow> owners_;  ///< by their indices in directory_
  std::map<std::string, std::uint64_t, std::less<>> counters_;
};

}  // namespace physmem
