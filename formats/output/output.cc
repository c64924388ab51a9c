// SPDX-License-Identifier: MIT
#include "formats/output/output.h"

#include <unistd.h>

#include <cerrno>

#include "program/signals.h"
#include "program/unique_fd.h"

namespace physmem {
namespace {

class StreamOutput final : public Output {
 public:
  StreamOutput(UniqueFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  int write(std::string_view text) override {
    is_whole_ = is_whole_ && text.empty();
    return write_fully(fd_.get(), text);
  }
  int mark_whole() override {
    is_whole_ = true;
    return 0;
  }
  bool keep_whole() override { return is_whole_; }
  // Some file systems report a full disk only when the file is closed.
  int finish() override { return ::close(fd_.release()) == 0 ? 0 : errno; }
  int reader_fd() const override { return fd_.get(); }
  bool is_terminal() const override { return ::isatty(fd_.get()) == 1; }
  std::string name() const override { return name_; }

 private:
  UniqueFd fd_;
  std::string name_;
  bool is_whole_ = true;  // nothing was written after the last snapshot
};

std::string advice_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "make room there or name another folder; a .pmc name takes a twentieth of the space";
    case EFBIG:
      return "a .pmc name takes a twentieth of the space";
    default:
      return {};
  }
}

}  // namespace

int write_fully(int fd, std::string_view text) {
  while (!text.empty()) {
    // A signal may also end a write that was blocked by a full pipe, after a part of it.
    if (interrupted()) return EINTR;
    const ssize_t put = ::write(fd, text.data(), text.size());
    if (put < 0 && errno != EINTR) return errno;
    if (put > 0) text.remove_prefix(static_cast<std::size_t>(put));
  }
  return 0;
}

std::unique_ptr<Output> stream_output(int fd, std::string name) {
  return std::make_unique<StreamOutput>(UniqueFd(fd), std::move(name));
}

Error output_error(const Output& output, int error_number) {
  if (error_number == EPIPE || interrupted()) return silent_error();
  const std::string kept = output.kept_as();
  return io_error(
      "write " + output.name(), error_number,
      kept.empty() ? advice_for(error_number) : "it is whole in " + kept + " in the same folder");
}

}  // namespace physmem
