// SPDX-License-Identifier: MIT
#include "program/descriptor_buffer.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace physmem {
namespace {

/// Large enough that system calls do not show in a profile; small enough that a closed pipe is
/// noticed soon.
constexpr std::size_t kBufferSize = std::size_t{256} * 1024;

}  // namespace

DescriptorBuffer::DescriptorBuffer() : buffer_(kBufferSize) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

int DescriptorBuffer::flush() {
  write_all(pbase(), static_cast<std::size_t>(pptr() - pbase()));
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return failure_;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type next) {
  if (flush() != 0) return traits_type::eof();
  if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
  return sputc(traits_type::to_char_type(next));
}

std::streamsize DescriptorBuffer::xsputn(const char* text, std::streamsize size) {
  if (failure_ != 0) return 0;
  const bool is_worth_a_call = size >= static_cast<std::streamsize>(buffer_.size() / 4);
  if (!is_worth_a_call && size <= epptr() - pptr()) return std::streambuf::xsputn(text, size);
  if (flush() != 0) return 0;
  if (!is_worth_a_call) return std::streambuf::xsputn(text, size);
  write_all(text, static_cast<std::size_t>(size));
  return failure_ == 0 ? size : 0;
}

void DescriptorBuffer::write_all(const char* data, std::size_t size) {
  while (size > 0 && failure_ == 0) {
    const ssize_t written = ::write(descriptor_, data, size);
    if (written >= 0) {
      data += written;
      size -= static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      // Standard output may be a pipe that another process made non-blocking.
      pollfd ready{descriptor_, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) fail(errno);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

}  // namespace physmem
