// SPDX-License-Identifier: MIT
// The mapping of each process's areas to physical pages (I14; figure 4 of the paper).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/analyze/analysis.h"
#include "analyzer/analyze/process/map_line.h"

namespace physmem {

/// How the physical pages of one process are used.
struct ProcessUse {
  /// Pages by number of mappings: [10] for ten and more, [0] for pages whose mappings are not
  /// counted.
  std::array<std::uint64_t, 11> by_mappings{};
  std::uint64_t resident = 0;
  std::uint64_t single = 0;
  std::uint64_t shared = 0;
  std::uint64_t swapped = 0;
};

/// Receives the maps. area() is called after all pages of the area, when a second P: may have
/// replaced its counts. Its lines follow.
class VmaMapSink {
 public:
  virtual ~VmaMapSink() = default;
  virtual void area(const Process& process, const Area& area) = 0;
  virtual void line(const Process& process, const Area& area, const MapLine& line) = 0;
  virtual void process_end(const Process& process, const ProcessUse& use) = 0;
};

class VmaMap : public Analysis {
 public:
  explicit VmaMap(VmaMapSink& sink) : sink_(sink) {}

  void on_header(const Header& header) override { header_ = header; }
  void on_area(const Process& process, const Area& area) override;
  void on_pages(const Process& process, const Area& area, std::span<const PageRun> runs) override;
  void on_area_end(const Process& process, const Area& area) override;
  void on_process(const Process& process) override;

 private:
  VmaMapSink& sink_;
  Header header_;
  std::optional<MapLines> lines_;
  std::vector<MapLine> kept_;  ///< lines of the current area, 64 pages each
  ProcessUse use_;
};

}  // namespace physmem
