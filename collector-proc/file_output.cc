// SPDX-License-Identifier: MIT
#include "collector-proc/file_output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "system/unique_fd.h"

namespace physmem::collect {
namespace {

std::string folder_of(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : name.substr(0, slash);
}

std::string hidden_name_beside(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t base = slash == std::string::npos ? 0 : slash + 1;
  // A long name plus ours might exceed what a file system takes.
  return name.substr(0, base) + "." + name.substr(base, 200) + ".XXXXXX";
}

class FileOutput final : public Output {
 public:
  FileOutput(UniqueFd fd, std::string temporary, std::string name)
      : fd_(std::move(fd)), temporary_(std::move(temporary)), name_(std::move(name)) {}
  ~FileOutput() override {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  int write(std::string_view text) override {
    const int error = write_fully(fd_.get(), text);
    if (error == 0) size_ += static_cast<off_t>(text.size());
    return error;
  }
  int mark_whole() override {
    whole_ = size_;
    return 0;
  }
  bool keep_whole() override {
    if (::ftruncate(fd_.get(), whole_) != 0) return false;
    size_ = whole_;
    return ::lseek(fd_.get(), whole_, SEEK_SET) == whole_;
  }
  std::string name() const override { return name_; }

  int finish() override {
    if (::fsync(fd_.get()) != 0) return errno;
    if (::close(fd_.release()) != 0) return errno;
    if (::rename(temporary_.c_str(), name_.c_str()) != 0) return errno;
    temporary_.clear();
    // So that the name survives a crash, too; no reason to fail when a file system cannot.
    const UniqueFd folder(::open(folder_of(name_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder) (void)::fsync(folder.get());
    return 0;
  }

 private:
  UniqueFd fd_;
  std::string temporary_;
  std::string name_;
  off_t size_ = 0;   // bytes written in full
  off_t whole_ = 0;  // of them, up to the last mark_whole()
};

Result<std::unique_ptr<Output>> open_device(const std::string& name) {
  UniqueFd fd(::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY));
  if (!fd) return io_error("write to " + name, errno);
  return stream_output(fd.release(), name);
}

Result<std::unique_ptr<Output>> open_temporary(const std::string& name) {
  std::string temporary = hidden_name_beside(name);
  UniqueFd fd(::mkostemp(temporary.data(), O_CLOEXEC));  // created 0600, O_EXCL
  if (!fd) return io_error("create a file in " + folder_of(name), errno, "name a folder you may write to");
  return std::unique_ptr<Output>(std::make_unique<FileOutput>(std::move(fd), std::move(temporary), name));
}

}  // namespace

Result<std::unique_ptr<Output>> open_file_output(const std::string& name) {
  struct stat target {};
  if (::lstat(name.c_str(), &target) != 0 || S_ISREG(target.st_mode)) return open_temporary(name);
  if (S_ISDIR(target.st_mode)) return io_error("write to " + name, EISDIR, "name a file");
  // Neither followed (it may lead anywhere) nor replaced (it may be /dev/stdout).
  if (S_ISLNK(target.st_mode))
    return Error{ExitStatus::kIo, "cannot write to " + name +
                                      ": it is a symbolic link; name the file itself, or - for "
                                      "standard output"};
  return open_device(name);
}

}  // namespace physmem::collect
