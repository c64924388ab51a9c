// SPDX-License-Identifier: MIT
// A file of snapshots. Its errors are exceptions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "analyzer/parse/byte_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "library/snapshot_data.h"
#include "physmem/error.h"

namespace physmem {

/// All zero if the file does not exist.
FileState file_state(const std::filesystem::path& path);

class OpenedFile {
 public:
  /// Throws std::invalid_argument if `jobs` is 0.
  OpenedFile(const std::filesystem::path& path, std::size_t jobs);

  /// Reads the next snapshot. Returns false after the last one.
  bool next(Events& events);
  /// True if another snapshot follows. It must be the last call, because it reads the header.
  bool has_more();

  const std::filesystem::path& path() const { return path_; }
  const ReadNotes& notes() const { return reader_->notes(); }
  /// The state of the file when it was opened.
  const FileState& state() const { return state_; }

 private:
  SnapshotError exception_of(const Error& error) const;

  std::filesystem::path path_;
  FileState state_;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<SnapshotReader> reader_;
};

}  // namespace physmem
