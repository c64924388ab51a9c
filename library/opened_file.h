// SPDX-License-Identifier: MIT
// A file of snapshots, whose errors are exceptions.
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

class OpenedFile {
 public:
  OpenedFile(const std::filesystem::path& path, std::size_t jobs);

  /// False after the last snapshot.
  bool next(Events& events);
  /// Reads what follows a snapshot, but not another snapshot: true if there is one. Call it last.
  bool has_more();

  const std::filesystem::path& path() const { return path_; }
  const ReadNotes& notes() const { return reader_->notes(); }
  /// When it was opened.
  const FileState& state() const { return state_; }

 private:
  SnapshotError exception_of(const Error& error) const;

  std::filesystem::path path_;
  FileState state_;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<SnapshotReader> reader_;
};

}  // namespace physmem
