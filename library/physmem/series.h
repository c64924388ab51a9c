// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "physmem/options.h"
#include "physmem/snapshot.h"

namespace physmem {

/// Reads the snapshots of a file one after another. Only one thread at a time may use a reader.
class SeriesReader {
 public:
  explicit SeriesReader(const std::filesystem::path& path, const OpenOptions& options = {});
  SeriesReader(SeriesReader&&) noexcept;
  SeriesReader& operator=(SeriesReader&&) noexcept;
  ~SeriesReader();

  /// Returns the next snapshot, or no value after the last one and if this reader was moved from.
  std::optional<Snapshot> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace physmem
