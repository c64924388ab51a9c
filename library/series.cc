// SPDX-License-Identifier: MIT
#include "physmem/series.h"

#include <utility>

#include "library/opened_file.h"
#include "library/snapshot_fold.h"

namespace physmem {

struct SeriesReader::State {
  State(const std::filesystem::path& path, const OpenOptions& open_options)
      : file(path, open_options.jobs), options(open_options) {}

  OpenedFile file;
  OpenOptions options;
  std::size_t read = 0;  ///< snapshots
};

SeriesReader::SeriesReader(const std::filesystem::path& path, const OpenOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
SeriesReader::SeriesReader(SeriesReader&&) noexcept = default;
SeriesReader& SeriesReader::operator=(SeriesReader&&) noexcept = default;
SeriesReader::~SeriesReader() = default;

std::optional<Snapshot> SeriesReader::next() {
  if (!state_) return {};
  std::unique_ptr<SnapshotData> data = read_snapshot(state_->file, state_->options);
  if (!data) return {};
  data->number = ++state_->read;
  return Snapshot(std::move(data));
}

}  // namespace physmem
