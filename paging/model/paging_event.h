// SPDX-License-Identifier: MIT
// A page that moves between memory and swap, and the trace header that describes the machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/emit/paging_record.h"
#include "formats/emit/trace.h"

namespace physmem {

/// Unit of the kernel's block layer (SECTOR_SIZE, include/linux/blk_types.h).
inline constexpr std::uint64_t kSectorBytes = 512;

/// An event that moved a page has one of these flags: device I/O, zswap, or a zero page.
inline constexpr std::uint32_t kPagingMoveFlags = PM_PAGING_IO | PM_PAGING_ZSWAP | PM_PAGING_ZERO;

enum class PagingKind : std::uint8_t { kIn = PM_PAGING_IN, kOut = PM_PAGING_OUT };

/// The fields of pm_paging_record, which documents them. Unknown fields are absent.
struct PagingEvent {
  std::uint64_t sequence = 0;
  std::uint64_t time_ns = 0;
  PagingKind kind = PagingKind::kIn;
  std::uint32_t flags = 0;  ///< pm_paging_flag
  std::uint16_t cpu = 0;    ///< PM_PAGING_NO_CPU: unknown
  std::optional<std::uint32_t> pid = {};
  std::optional<std::uint32_t> tgid = {};
  std::string comm = {};  ///< as in the kernel: at most 15 bytes, none of them 0
  std::optional<std::uint64_t> address = {};
  std::optional<std::uint64_t> pfn = {};
  std::optional<std::uint8_t> swap_type = {};
  std::optional<std::uint64_t> slot = {};
  std::optional<std::uint64_t> sector = {};
  std::optional<std::uint64_t> service_ns = {};

  bool has(pm_paging_flag flag) const { return (flags & flag) != 0; }
  bool is_move() const { return (flags & kPagingMoveFlags) != 0; }

  friend bool operator==(const PagingEvent&, const PagingEvent&) = default;
};

/// Events that were dropped on a CPU, or that were in a lost datagram.
struct LostEvents {
  std::uint64_t time_ns = 0;              ///< when the loss was detected
  std::optional<std::uint16_t> cpu = {};  ///< absent: lost in the network
  std::uint64_t count = 0;

  friend bool operator==(const LostEvents&, const LostEvents&) = default;
};

enum class SwapAreaKind : std::uint8_t {
  kPartition = PM_TRACE_PARTITION,
  kFile = PM_TRACE_FILE,
  kZram = PM_TRACE_ZRAM,
};

/// Words of SwapAreaKind in a trace, and of an area that was removed (swapoff).
inline constexpr auto kSwapAreaWords = std::to_array<std::string_view>(PM_TRACE_AREA_WORDS);

struct SwapArea {
  std::uint8_t type = 0;  ///< the type in swap entries
  SwapAreaKind kind = SwapAreaKind::kPartition;
  std::uint64_t slots = 0;  ///< pages
  std::string name = {};    ///< its path

  friend bool operator==(const SwapArea&, const SwapArea&) = default;
};

struct TraceHeader {
  std::string arch = {};
  std::string kernel = {};
  std::string source = {};  ///< kmod, bpf, udp, pftrace
  std::uint32_t page_size = 4096;
  std::uint64_t memory_bytes = 0;  ///< MemTotal; 0: unknown
  std::uint64_t frames_end = 0;    ///< one more than the highest frame number of RAM; 0: unknown
  /// Added to a time_ns, this gives ns since 1970. It is measured once, at the beginning.
  std::int64_t wall_offset_ns = 0;
  std::vector<SwapArea> swap_areas = {};

  friend bool operator==(const TraceHeader&, const TraceHeader&) = default;
};

}  // namespace physmem
