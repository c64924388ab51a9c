// SPDX-License-Identifier: MIT
#include "analyzer/parse/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace physmem {
namespace {

Error io_error(const std::string& name, const std::string& what) {
  return {Error::Kind::kIo, name + ": " + what + ": " + std::strerror(errno)};
}

class FileSource : public ByteSource {
 public:
  FileSource(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}
  ~FileSource() override {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(char* to, std::size_t size) override {
    ssize_t n = 0;
    do {
      n = ::read(fd_, to, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0) return io_error(name_, "cannot read");
    return static_cast<std::size_t>(n);
  }

 private:
  int fd_;
  std::string name_;
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : text_(text) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    const std::size_t n = std::min(size, text_.size());
    std::copy_n(text_.data(), n, to);
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::unique_ptr<ByteSource> text_source(std::string_view text) {
  return std::make_unique<TextSource>(text);
}

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "standard input" : path;
  const int fd = is_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error(name, "cannot open");
  auto source = std::make_unique<FileSource>(fd, name);
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
    return Error{Error::Kind::kIo, name + ": is a directory, expected a file"};
  posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return decoded(std::move(source), name);
}

}  // namespace physmem
