// SPDX-License-Identifier: MIT
// All mappings of a snapshot as runs of frames with their owners.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/unit_names.h"

namespace physmem {

/// Pages that are adjacent in an area and in RAM and have the same number of mappings.
struct MappedRun {
  std::uint32_t area = 0;        ///< index
  std::uint32_t first_page = 0;  ///< in the area
  std::uint64_t first_frame = 0;
  std::uint32_t pages = 0;
  std::uint32_t mappings = 0;  ///< of each frame
};

/// Memory: 24 bytes per run; with fragmented memory, a run has a few pages.
class FrameRuns : public Analysis {
 public:
  struct Owner {
    std::uint64_t tgid = 0;
    std::string comm;
    std::uint64_t resident = 0;  ///< pages
    std::uint64_t unique = 0;    ///< those that no other process maps
    std::uint64_t swapped = 0;
    std::optional<std::uint64_t> uid = {};  ///< nothing: the record has no identity
    std::string cgroup = {};                ///< empty: not recorded
  };
  /// An area, or the part of an area whose pages belong to one of its two regions.
  struct Part {
    std::uint32_t owner = 0;
    std::uint64_t start = 0;
    std::uint64_t pages = 0;
    std::uint32_t unit = 0;
    Region region = Region::kUnexplained;
    std::uint64_t vma_flags = 0;
  };

  /// Mapped frames from here on are counted in too_far(): 1 TiB of 4 KiB pages. The page that shows
  /// the runs uses five bytes for each frame below.
  static constexpr std::uint64_t kMaxFramesEnd = std::uint64_t{1} << 28;

  bool needs_unique() const override { return true; }
  void on_header(const Header& header) override;
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_process(const Process& process) override;
  /// Orders the runs by frame.
  void on_end() override;

  const Header& header() const { return header_; }
  const std::vector<MappedRun>& runs() const { return runs_; }
  const std::vector<Owner>& owners() const { return owners_; }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<std::string>& units() const { return units_; }
  /// After the last mapped frame, and after the RAM that the header states, up to 2^26 frames.
  std::uint64_t frames_end() const { return frames_end_; }
  /// Mappings of the zero page and of memory without struct page. They have no owner and are not in
  /// the runs.
  std::uint64_t unowned() const { return unowned_; }
  /// Mappings of frames from kMaxFramesEnd on, or of pages beyond 2^32 in their area. They are not
  /// in the runs.
  std::uint64_t too_far() const { return too_far_; }

 private:
  static constexpr std::uint32_t kNoPart = ~std::uint32_t{0};

  std::uint32_t part(const Process& process, const Area& area, bool is_anon);
  std::uint32_t unit(const RegionMap::Marks& marks);
  void add(const MappedRun& page);

  Header header_;
  std::vector<MappedRun> runs_;
  std::vector<Owner> owners_;
  std::vector<Part> parts_;
  std::vector<std::string> units_;
  std::unordered_map<UnitKey, std::uint32_t, UnitKeyHash> unit_numbers_;
  UnitNames names_;  ///< of units_, until on_end()
  std::array<std::uint32_t, 2> of_area_{kNoPart,
                                        /// Parts of the current area: file, anon.
                                        kNoPart};
  struct Pending {
    std::uint32_t part;
    std::size_t area;  ///< in its process
    bool is_anon;
  };
  /// Parts whose region and unit are known when the process is complete.
  std::vector<Pending> pending_;
  std::uint64_t frames_end_ = 0;
  std::uint64_t unowned_ = 0;
  std::uint64_t too_far_ = 0;
};

}  // namespace physmem
