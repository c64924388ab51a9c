// SPDX-License-Identifier: MIT
#include "analyzer/report/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ostream>
#include <system_error>
#include <vector>

#include "analyzer/report/descriptor_buffer.h"
#include "system/printable.h"

namespace physmem {
namespace {

std::string temporary_folder() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/var/tmp";
}

int open_nameless(const std::string& folder) {
  std::string name = folder + "/.physmem-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);  // mode 0600
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

struct Spool::Impl {
  Impl() : folder(temporary_folder()), descriptor(open_nameless(folder)) {
    if (descriptor < 0) fail(errno);
    buffer.attach(descriptor);
  }
  ~Impl() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void fail(int error) {
    buffer.fail(error);
    stream.setstate(std::ios::badbit);
  }

  std::string folder;
  int descriptor;
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
    const ssize_t n = ::pread(impl_->descriptor, piece.data(), piece.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return impl_->fail(errno);
    if (n == 0) return;
    out.write(piece.data(), n);
    at += n;
  }
}

}  // namespace physmem
