// SPDX-License-Identifier: MIT
#include "library/opened_file.h"

#include <sys/stat.h>

#include <stdexcept>
#include <system_error>
#include <utility>

#include "analyzer/parse/open_source.h"

namespace physmem {
namespace {

/// Thrown to stop reading at the header of a snapshot.
struct Stop {};
struct StopAtHeader : Events {
  void on_header(const Header&) override { throw Stop(); }
};

}  // namespace

FileState file_state(const std::filesystem::path& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return {};
  constexpr std::int64_t kNs = 1'000'000'000;
  return {S_ISREG(found.st_mode) != 0, found.st_dev, found.st_ino, found.st_size,
          std::int64_t{found.st_mtim.tv_sec} * kNs + found.st_mtim.tv_nsec};
}

SnapshotError OpenedFile::exception_of(const Error& error) const {
  constexpr auto kIo = SnapshotError::Kind::kIo;
  if (error.kind != Error::Kind::kBadInput)
    return {kIo,        error.text,   path_.string(),
            error.line, error.column, std::error_code(error.error_number, std::system_category())};
  const FileState now = file_state(path_);
  const bool is_same_file =
      now.is_regular && now.device == state_.device && now.inode == state_.inode;
  if (!is_same_file || now == state_)
    return {SnapshotError::Kind::kBadInput, error.text, path_.string(), error.line, error.column};
  const char* const change = now.size < state_.size ? ": the file became shorter while it was read"
                                                    : ": has changed while it was read";
  return {kIo, path_.string() + change, path_.string()};
}

OpenedFile::OpenedFile(const std::filesystem::path& path, std::size_t jobs) : path_(path) {
  if (jobs == 0) throw std::invalid_argument("jobs: found 0, expected at least 1");
  // For open_source() that name is standard input, which cannot be read again.
  const std::string name = path.string() == "-" ? "./-" : path.string();
  state_ = file_state(path_);
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
