// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace physmem {

/// The header of a snapshot, and sums over its processes.
struct SnapshotInfo {
  int format_version = 0;
  std::string architecture;                ///< as `uname -m` prints it
  std::string kernel;                      ///< release of the kernel, as `uname -r` prints it
  std::string collector;                   ///< "proc", "kmod" or "crash"
  std::string host;                        ///< name of the machine; empty: unknown
  std::string machine_id;                  ///< the same for all boots of a machine; empty: unknown
  std::string boot_id;                     ///< differs for each boot of a machine; empty: unknown
  std::optional<std::uint64_t> sequence;   ///< number in the series of its collector, from 0
  std::uint64_t page_size = 0;             ///< bytes
  std::optional<std::uint64_t> time_ns;    ///< since 1970, UTC
  std::optional<std::uint64_t> uptime_ns;  ///< since boot
  std::optional<std::uint64_t> ram_pages;  ///< RAM that the kernel manages
  bool has_areas = false;                  ///< false: only tasks and counters
  bool has_pages = false;                  ///< false: areas have only counts of pages
  bool has_ram = false;  ///< it describes every frame of RAM: ledger() and owners()
  /// What the count of a page is: "mappings", "average" (mappings of a large folio, divided by its
  /// pages), or "references" (files of version 1).
  std::string count_kind;
  std::uint64_t processes = 0;       ///< processes with an address space
  std::uint64_t threads = 0;         ///< threads of these processes
  std::uint64_t kernel_threads = 0;  ///< threads without an address space
  /// Distinct frames that processes map. It has no value without pages.
  std::optional<std::uint64_t> user_pages;
  /// All frames of RAM, which is the sum of the ledger. It has no value without has_ram.
  std::optional<std::uint64_t> ram_frames;
  /// The file has further snapshots, which SeriesReader reads. Only Snapshot::open sets it.
  bool has_more = false;
  /// False: data is missing from the snapshot; Snapshot::notes() has the reasons.
  bool is_complete = true;
};

}  // namespace physmem
