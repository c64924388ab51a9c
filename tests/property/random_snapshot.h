// SPDX-License-Identifier: MIT
// Snapshots that no machine ever had: any names, any numbers that the format allows, sharing
// between processes.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "formats/emit/emit.h"
#include "formats/emit/ram.h"

namespace physmem {

struct RandomArea {
  pm_vma vma{};
  std::string unit;
  pm_page_counts counts{};
  std::vector<pm_page> pages;
  std::vector<pm_swap> swapped;
};

struct RandomTask {
  pm_task task{};
  std::string comm;
  std::string cgroup;
  std::vector<RandomArea> areas;
};

/// The texts of an owner of frames.
struct RandomOwner {
  pm_ram_owner owner{};
  std::string name;
  std::string file_system;
};

/// Use counts are true: as many as entries of the snapshot have that frame. The zero page and
/// memory without struct page have 0.
struct RandomSnapshot {
  std::uint64_t page_size = 4096;
  std::vector<RandomTask> tasks;
  std::vector<pm_zone> zones;
  std::vector<RandomOwner> owners;  ///< of the runs
  std::vector<pm_ram_run> runs;
  std::vector<std::uint64_t> counters;
  std::uint64_t excluded = 0;
  bool has_areas = true;  // false: no task has any, and the header has areas=none
};

/// The format version. Version 1 has 32-bit addresses, no swapped pages, no flag for anonymous
/// pages, and names without escapes.
enum class Version { k1, k2 };

RandomSnapshot random_snapshot(std::uint64_t seed, Version version = Version::k2);

/// The first seed: PHYSMEM_PROPERTY_SEED of the environment, otherwise a constant. A failing test
/// prints its seed.
std::uint64_t first_seed();

/// The number of seeds: PHYSMEM_PROPERTY_ROUNDS of the environment (for slow emulators), otherwise
/// `usual`.
std::uint64_t rounds(std::uint64_t usual);

}  // namespace physmem
