// SPDX-License-Identifier: MIT
#include "analyzer/report/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ostream>
#include <system_error>
#include <vector>

#include "program/descriptor_buffer.h"
#include "program/printable.h"
#include "program/temporary_file.h"

namespace physmem {
namespace {

UniqueFd open_nameless(const std::string& path) {
  const UniqueFd folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return {};
  UniqueFd file = open_unnamed(folder.get(), 0600);
  if (file) return file;
  NamedFile named = create_named(folder.get(), {".physmem-spool-"}, 0600);
  if (named.file) ::unlinkat(folder.get(), named.name.c_str(), 0);
  return std::move(named.file);
}

}  // namespace

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

struct Spool::Impl {
  Impl() : folder(temporary_folder()), descriptor(open_nameless(folder)) {
    if (!descriptor) fail(errno);
    buffer.attach(descriptor.get());
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void fail(int error) {
    buffer.fail(error);
    stream.setstate(std::ios::badbit);
  }

  std::string folder;
  UniqueFd descriptor;
  DescriptorBuffer buffer;
  std::ostream stream{&buffer};
};

Spool::Spool() : impl_(std::make_unique<Impl>()) {}

Spool::~Spool() = default;

std::ostream& Spool::stream() {
  return impl_->stream;
}

std::string Spool::error() const {
  const int failure = impl_->buffer.failure();
  if (failure == 0) return "";
  return "cannot write a temporary file in " + for_terminal(impl_->folder) + ": " +
         std::generic_category().message(failure) + "; TMPDIR names another folder";
}

void Spool::copy_to(std::ostream& out) {
  if (impl_->buffer.flush() != 0) return impl_->fail(impl_->buffer.failure());
  std::vector<char> piece(std::size_t{64} << 10);
  off_t at = 0;
  while (out) {
    const ssize_t n = ::pread(impl_->descriptor.get(), piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return impl_->fail(errno);
    if (n == 0) return;
    out.write(piece.data(), n);
    at += n;
  }
}

}  // namespace physmem
