// SPDX-License-Identifier: MIT
// The whole API of libphysmem, which reads and analyzes snapshots of a Linux system's physical
// memory. docs/library.md describes it.
//
//   const physmem::Snapshot snapshot = physmem::Snapshot::open("snap.pmc.zst");
//   for (const physmem::ProcessRow& process : snapshot.processes())
//     std::cout << process.name << ' ' << process.rss << " pages\n";
//
// Counts are in pages of SnapshotInfo::page_size bytes. Functions throw SnapshotError if a file
// cannot be read.
#pragma once

#include "physmem/difference.h"
#include "physmem/error.h"
#include "physmem/flags.h"
#include "physmem/info.h"
#include "physmem/options.h"
#include "physmem/pages.h"
#include "physmem/rows.h"
#include "physmem/series.h"
#include "physmem/snapshot.h"
#include "physmem/text.h"
#include "physmem/version.h"
