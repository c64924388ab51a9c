// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem {

/// Of the whole snapshot: its header, and sums over its processes.
struct SnapshotInfo {
  int format_version = 0;
  std::string architecture;
  std::string kernel;
  std::string collector;
  std::string host;                        ///< name of the machine; empty: unknown
  std::string machine_id;                  ///< the same for all boots of a machine; empty: unknown
  std::string boot_id;                     ///< of one boot of one machine; empty: unknown
  std::optional<std::uint64_t> sequence;   ///< number in the series of its collector, from 0
  std::uint64_t page_size = 0;             ///< bytes
  std::optional<std::uint64_t> time_ns;    ///< since 1970, UTC
  std::optional<std::uint64_t> uptime_ns;  ///< since boot
  std::optional<std::uint64_t> ram_pages;
  bool has_areas = false;  ///< false: only tasks and counters
  bool has_pages = false;  ///< false: areas have only counts of pages
  bool has_ram = false;    ///< it describes every frame of RAM: ledger() and owners()
  /// What counts of pages are: "mappings"; "average" over a large folio; "references", as files of
  /// version 1 have.
  std::string count_kind;
  std::uint64_t processes = 0;  ///< those with an address space
  std::uint64_t threads = 0;    ///< of these
  std::uint64_t kernel_threads = 0;
  /// Distinct frames that processes map; nothing without pages.
  std::optional<std::uint64_t> user_pages;
  /// All frames, the sum of the ledger; nothing without has_ram.
  std::optional<std::uint64_t> ram_frames;
  bool has_more = false;  ///< of Snapshot::open: its file has further snapshots (SeriesReader)
  /// False: data is missing from the snapshot; Snapshot::notes() has the reasons.
  bool is_complete = true;
};

}  // namespace physmem
