// SPDX-License-Identifier: MIT
#include "paging/write/trace_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "program/descriptor_buffer.h"
#include "program/output_target.h"

namespace physmem {

struct TraceFile::Growing {
  explicit Growing(const std::string& path) : name(path) {}

  /// Truncates the file, unless another program records into it. Returns an error message, or an
  /// empty string.
  std::string begin() {
    OutputInPlace opened = open_in_place(name, O_WRONLY, kModeOfSnapshots);
    if (!opened.problem.empty()) return name + ": cannot write: " + opened.problem;
    descriptor = std::move(opened.file);
    struct stat file = {};
    if (::fstat(descriptor.get(), &file) != 0) return cannot("open");
    buffer.attach(descriptor.get());
    if (!S_ISREG(file.st_mode) || opened.is_descriptor) return {};
    if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0)
      return errno == EWOULDBLOCK ? name + ": another program records into it" : cannot("lock");
    return ::ftruncate(descriptor.get(), 0) == 0 ? "" : cannot("empty");
  }
  std::string cannot(const char* what) const {
    return name + ": cannot " + what + ": " + std::strerror(errno);
  }

  std::string name;
  UniqueFd descriptor;
  DescriptorBuffer buffer;
  std::ostream stream{&buffer};
};

namespace {

bool is_compressed(const std::string& path) {
  constexpr std::string_view kEnding = ".zst";
  return path.size() > kEnding.size() &&
         path.compare(path.size() - kEnding.size(), kEnding.size(), kEnding) == 0;
}

}  // namespace

TraceFile::TraceFile(const std::string& path, bool grows, OutputKind kind) : path_(path) {
  if (grows && path != "-")
    growing_ = std::make_unique<Growing>(path);
  else
    whole_ = std::make_unique<OutputFile>(path, kind);
  if (is_compressed(path)) zstd_ = ZstdStream::over(plain());
}

TraceFile::~TraceFile() = default;

std::string TraceFile::begin() {
  return growing_ ? growing_->begin() : "";
}

std::ostream& TraceFile::plain() {
  return growing_ ? growing_->stream : whole_->stream();
}

std::ostream& TraceFile::stream() {
  return zstd_ ? zstd_->stream() : plain();
}

std::string TraceFile::error() const {
  if (is_compressed(path_) && !zstd_)
    return path_ +
           ": this program was built without zstd; give a name without .zst, and compress the file "
           "afterwards";
  if (!growing_) return whole_->error();
  if (growing_->buffer.failure() == 0) return {};
  return growing_->name + ": cannot write: " + std::strerror(growing_->buffer.failure());
}

std::string TraceFile::commit() {
  if (zstd_) zstd_->finish();
  if (!growing_) return whole_->commit();
  growing_->buffer.flush();
  return error();
}

}  // namespace physmem
