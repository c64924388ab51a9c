// SPDX-License-Identifier: MIT
// A stream buffer over a file descriptor that remembers why a write failed.
#pragma once

#include <streambuf>
#include <vector>

namespace physmem {

class DescriptorBuffer : public std::streambuf {
 public:
  DescriptorBuffer();
  void attach(int descriptor) { descriptor_ = descriptor; }

  /// Writes the buffer. 0, or the errno of the first write that failed; after that nothing more is
  /// written.
  int flush();
  int failure() const { return failure_; }
  void fail(int error) { failure_ = failure_ != 0 ? failure_ : error; }

 protected:
  int_type overflow(int_type next) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override { return flush() == 0 ? 0 : -1; }

 private:
  void write_all(const char* data, std::size_t size);

  std::vector<char> buffer_;
  int descriptor_ = -1;
  int failure_ = 0;
};

}  // namespace physmem
