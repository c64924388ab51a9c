// SPDX-License-Identifier: MIT
#include "analyzer/parse/open_source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

#include "analyzer/parse/mapped_file.h"
#include "analyzer/parse/read_ahead.h"

namespace physmem {
namespace {

Error io_error(const std::string& name, const std::string& what) {
  const int number = errno;
  return {.kind = Error::Kind::kIo,
          .text = name + ": " + what + ": " + std::strerror(number),
          .error_number = number};
}

class FileSource : public ByteSource {
 public:
  FileSource(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
    struct stat status {};
    const bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (!is_file) wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    // The largest size that any user may set. If the kernel rejects it, the size is unchanged.
    if (!is_file && S_ISFIFO(status.st_mode)) fcntl(fd, F_SETPIPE_SZ, kPipe);
    // A short file would not be read faster by mapping it. Files of /proc have size 0, so they are
    // not mapped.
    if (is_file && status.st_size >= kMapped && lseek(fd, 0, SEEK_CUR) == 0) mapped_.emplace(fd);
  }
  ~FileSource() override {
    mapped_.reset();
    if (fd_ > STDERR_FILENO) close(fd_);
    if (wake_ >= 0) close(wake_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(char* to, std::size_t size) override {
    if (!await()) return std::size_t{0};
    ssize_t n = 0;
    do {
      n = ::read(fd_, to, size);
    } while (n < 0 && errno == EINTR);
    if (n < 0) return io_error(name_, "cannot read");
    return static_cast<std::size_t>(n);
  }

  void interrupt() override {
    if (wake_ >= 0) eventfd_write(wake_, 1);
  }

  std::string_view text() const override { return mapped_ ? mapped_->text() : std::string_view(); }
  void release(std::uint64_t offset) override { mapped_->release(offset); }
  Status state() const override {
    if (!mapped_ || mapped_->text().data() == nullptr) return {};
    // Bytes after the new end read as zeros; within the last page, no SIGBUS reports it.
    struct stat status {};
    const bool is_short = fstat(fd_, &status) == 0 &&
                          static_cast<std::uint64_t>(status.st_size) < mapped_->text().size();
    if (is_short)
      return Error{Error::Kind::kIo, name_ + ": the file became shorter while it was read"};
    if (mapped_->was_cut())
      return Error{Error::Kind::kIo,
                   name_ + ": cannot read: the disk or the file system gave no data"};
    return {};
  }

 private:
  static constexpr off_t kMapped = 1 << 20;
  static constexpr int kPipe = 1 << 20;

  /// Waits for bytes or the end of the input. False if interrupt() was called. Regular files never
  /// block.
  bool await() const {
    std::array<pollfd, 2> either{{{fd_, POLLIN, 0}, {wake_, POLLIN, 0}}};
    if (wake_ < 0) return true;
    while (poll(either.data(), either.size(), -1) < 0 && errno == EINTR) continue;
    return either[1].revents == 0;
  }

  int fd_;
  int wake_ = -1;  ///< an eventfd, if read() may wait
  std::string name_;
  std::optional<MappedFile> mapped_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path, Undo undo,
                                                bool has_threads) {
  const bool is_stdin = path == "-";
  const std::string name = is_stdin ? "standard input" : path;
  const int fd = is_stdin ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return io_error(name, "cannot open");
  auto source = std::make_unique<FileSource>(fd, name);
  struct stat status {};
  if (fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
    return Error{.kind = Error::Kind::kIo,
                 .text = name + ": is a directory, expected a file",
                 .error_number = EISDIR};
  posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  auto text = decoded(std::move(source), name, undo);
  if (!text || !has_threads || (*text)->text().data() != nullptr) return text;
  return read_ahead(std::move(*text));
}

}  // namespace physmem
