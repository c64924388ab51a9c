// SPDX-License-Identifier: MIT
#include "analyzer/report/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "analyzer/report/descriptor_buffer.h"
#include "system/printable.h"

namespace physmem {
namespace {

namespace fs = std::filesystem;

/// The kernel's own limit on links that lead to links.
constexpr int kMostLinks = 40;

/// The descriptor a path stands for. Opening such a path anew would write from the start of the file behind
/// it.
std::optional<int> open_descriptor(std::string_view path) {
  if (path.empty() || path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.substr(0, prefix.size()) != prefix) continue;
    const std::string_view digits = path.substr(prefix.size());
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc{} && end == digits.data() + digits.size() && number >= 0) return number;
  }
  return std::nullopt;
}

/// Where symbolic links lead, whether or not something is there.
std::string behind_links(const std::string& path) {
  fs::path place = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(place, error); ++i) {
    const fs::path next = fs::read_symlink(place, error);
    if (error) break;
    place = place.parent_path() / next;  // an absolute target replaces the folder
  }
  return place.string();
}

}  // namespace

struct OutputFile::Impl {
  explicit Impl(std::string where) : path(std::move(where)) { open(); }

  ~Impl() {
    if (descriptor >= 0) ::close(descriptor);
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void open() {
    struct stat status = {};
    if (const auto inherited = open_descriptor(path)) {
      // A duplicate, so that closing it tells of late errors and leaves standard output to the program.
      descriptor = ::fcntl(*inherited, F_DUPFD_CLOEXEC, 0);
    } else if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
      descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
      open_temporary();
    }
    if (descriptor < 0) fail(errno);
    buffer.attach(descriptor);
  }

  void open_temporary() {
    target = behind_links(path);
    // A name of its own length: the target's may already be as long as a name can be.
    temporary = (fs::path(target).parent_path() / ".physmem-XXXXXX").string();
    descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);  // mode 0600
    if (descriptor < 0) temporary.clear();
  }

  void fail(int error) {
    buffer.fail(error);
    stream.setstate(std::ios::badbit);
  }

  void finish() {
    if (buffer.flush() == 0 && !temporary.empty() && ::fsync(descriptor) != 0) fail(errno);
    if (descriptor >= 0 && ::close(std::exchange(descriptor, -1)) != 0) fail(errno);
    if (temporary.empty() || buffer.failure() != 0) return;
    if (::rename(temporary.c_str(), target.c_str()) != 0) return fail(errno);
    temporary.clear();
  }

  std::string error() const {
    if (buffer.failure() == 0) return "";
    const std::string place = path.empty() || path == "-" ? "standard output" : for_terminal(path);
    return "cannot write " + place + ": " + std::generic_category().message(buffer.failure());
  }

  std::string path;       // as given
  std::string target;     // behind symbolic links
  std::string temporary;  // empty when there is none (any more)
  int descriptor = -1;
  bool finished = false;
  DescriptorBuffer buffer;
  std::ostream stream{&buffer};
};

OutputFile::OutputFile(std::string path) : impl_(std::make_unique<Impl>(std::move(path))) {}

OutputFile::~OutputFile() = default;

std::ostream& OutputFile::stream() {
  return impl_->stream;
}

std::string OutputFile::error() const {
  return impl_->error();
}

std::string OutputFile::commit() {
  if (!std::exchange(impl_->finished, true)) impl_->finish();
  return impl_->error();
}

bool OutputFile::closed_pipe() const {
  return impl_->buffer.failure() == EPIPE;
}

}  // namespace physmem
