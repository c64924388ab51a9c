// SPDX-License-Identifier: MIT
// H: the properties of a snapshot. A version 1 file has no H: line; the defaults are the fixed
// values of its format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "analyzer/model/units.h"

namespace physmem {

struct Header {
  enum class Count {
    kMapcount,  ///< page-table entries that map the page
    kAverage,   ///< their mean over a large folio
    kRefs,      ///< references to the page, as in the paper
  };

  int version = 1;
  std::string arch;
  std::string kernel;
  std::string collector;
  std::string host;                       ///< name of the machine; empty: not known
  std::string machine_id;                 ///< the same for all boots of a machine; empty: not known
  std::string selection;                  ///< of FrameFilter: "node 0; zone DMA"; empty: all
  std::string boot_id;                    ///< of one boot of one machine; empty: not known
  std::optional<std::uint64_t> sequence;  ///< number in the series that a collector took, from 0
  PageSize page_size;
  std::optional<std::uint64_t> time_ns;    ///< since 1970, UTC
  std::optional<std::uint64_t> uptime_ns;  ///< since boot
  std::uint64_t hz = 100;                  ///< unit of task times: 1/hz s
  std::optional<std::uint64_t> ram_pages;
  std::uint64_t phys_mask = 0xFFFFF000;  ///< physical address = page-table value & phys_mask
  bool raw_pte = true;                   ///< the other bits of the value are the page-table entry's
  bool raw_prot = true;
  bool stable_flags = false;  ///< page flags are PM_PAGE_*; otherwise Linux 2.4's
  Count count = Count::kRefs;
  bool has_pages = true;  ///< false: no M: and S: lines, only the counts of P:
  bool has_areas = true;  ///< false: no V: lines and lists, only tasks and counters
  bool pfn_hidden = false;
  /// What the snapshot has of the whole of RAM.
  enum class Ram {
    kNone,
    kTotals,  ///< Z: and counters
    kAll,     ///< also R: and O:
  };
  Ram ram = Ram::kNone;
  std::string ram_by;  ///< how classes and owners were found: proc, kcore, bpf, kmod, crash
  /// Files that were counted one by one, in O: lines, because frames do not show their file.
  enum class Files {
    kNone,
    kOpen,   ///< those that processes had open or mapped
    kNamed,  ///< those that the user named
  };
  Files files = Files::kNone;

  /// Order of a huge page of processes: what one page of page tables maps.
  std::size_t huge_page_order() const {
    const std::size_t shift = page_size.shift();
    // 2 MiB with the radix tables of POWER9 and later.
    if (arch == "ppc64le" && shift == 16) return 5;
    // A segment of 1 MiB.
    if (arch == "s390x" && shift == 12) return 8;
    // A page of page tables has an entry of 8 bytes for each of the pages.
    return shift > 3 ? shift - 3 : 0;
  }

  std::uint64_t frame(std::uint64_t value) const {
    return (value & phys_mask) >> page_size.shift();
  }
  /// The number of frames from 0 on whose page-table values increase by one page from frame to
  /// frame, with equal other bits. 0 if phys_mask has holes, which only a crafted header has.
  std::uint64_t linear_frames() const {
    const std::uint64_t last = frame(phys_mask);
    return (last & (last + 1)) == 0 ? last : 0;
  }
};

}  // namespace physmem
