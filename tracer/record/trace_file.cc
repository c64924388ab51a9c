// SPDX-License-Identifier: MIT
#include "tracer/record/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "analyzer/report/descriptor_buffer.h"

namespace physmem::record {

struct TraceFile::Growing {
  explicit Growing(const std::string& path)
      : name(path), descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) {
    if (descriptor < 0) buffer.fail(errno);
    buffer.attach(descriptor);
  }
  ~Growing() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;

  std::string name;
  int descriptor;
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

TraceFile::TraceFile(const std::string& path, bool grows) : path_(path) {
  if (grows && path != "-")
    growing_ = std::make_unique<Growing>(path);
  else
    whole_ = std::make_unique<OutputFile>(path);
  if (is_compressed(path)) zstd_ = ZstdStream::over(plain());
}

TraceFile::~TraceFile() = default;

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

}  // namespace physmem::record
