// SPDX-License-Identifier: MIT
#include "analyzer/parse/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "analyzer/parse/mapped_file.h"

namespace physmem {
namespace {

Error io_error(const std::string& name, const std::string& what) {
  return {Error::Kind::kIo, name + ": " + what + ": " + std::strerror(errno)};
}

class FileSource : public ByteSource {
 public:
  FileSource(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
    struct stat status {};
    // Short files are read as fast. What /proc has says that it is empty.
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= kMapped &&
        lseek(fd, 0, SEEK_CUR) == 0)
      mapped_.emplace(fd);
  }
  ~FileSource() override {
    mapped_.reset();
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

  std::string_view text() const override { return mapped_ ? mapped_->text() : std::string_view(); }
  void let_go(std::uint64_t offset) override { mapped_->let_go(offset); }
  Status state() const override {
    if (!mapped_ || !mapped_->was_cut()) return {};
    return Error{Error::Kind::kIo, name_ + ": the file became shorter while it was read"};
  }

 private:
  static constexpr off_t kMapped = 1 << 20;

  int fd_;
  std::string name_;
  std::optional<MappedFile> mapped_;
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
