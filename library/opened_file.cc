// SPDX-License-Identifier: MIT
#include "library/opened_file.h"

#include <sys/stat.h>

#include <utility>

namespace physmem {
namespace {

/// All zero if there is no such file, which open_source() reports.
FileState state_of(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return {};
  constexpr std::int64_t kNs = 1'000'000'000;
  return {found.st_dev, found.st_ino, found.st_size,
          std::int64_t{found.st_mtim.tv_sec} * kNs + found.st_mtim.tv_nsec};
}

/// Ends the reading of a snapshot at its beginning.
struct Stop {};
struct StopAtHeader : Events {
  void on_header(const Header&) override { throw Stop(); }
};

}  // namespace

SnapshotError OpenedFile::exception_of(const Error& error) const {
  const auto kind = error.kind == Error::Kind::kBadInput ? SnapshotError::Kind::kBadInput
                                                         : SnapshotError::Kind::kIo;
  return {kind, error.text, path_.string(), error.line, error.column};
}

OpenedFile::OpenedFile(const std::filesystem::path& path, std::size_t jobs) : path_(path) {
  // For open_source() that name is standard input, which cannot be read again.
  const std::string name = path.string() == "-" ? "./-" : path.string();
  state_ = state_of(name);
  auto source = open_source(name, Undo::kAll, jobs > 1);
  if (!source) throw exception_of(source.error());
  source_ = std::move(*source);
  reader_ = std::make_unique<SnapshotReader>(*source_, path.string(),
                                             SnapshotReader::Options{.jobs = jobs});
}

bool OpenedFile::next(Events& events) {
  const auto found = reader_->next(events);
  if (!found) throw exception_of(found.error());
  return *found;
}

bool OpenedFile::has_more() {
  try {
    StopAtHeader events;
    return next(events);
  } catch (const Stop&) {
    return true;
  }
}

}  // namespace physmem
