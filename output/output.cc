// SPDX-License-Identifier: MIT
#include "collector-proc/output.h"

#include <unistd.h>

#include <cerrno>

#include "collector-proc/compact_output.h"
#include "collector-proc/file_output.h"
#include "collector-proc/zstd_output.h"
#include "program/output_target.h"
#include "program/signals.h"
#include "program/unique_fd.h"

namespace physmem::collect {
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

Result<std::unique_ptr<Output>> open_text_output(const std::string& name) {
  Result<std::unique_ptr<Output>> file = open_file_output(name);
  if (!file || !name.ends_with(".zst")) return file;
  return compress_into(std::move(*file));
}

std::string advice_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "make room there or name another folder; a .zst name takes a tenth of the space";
    case EFBIG:
      return "a .zst name takes a tenth of the space";
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

Result<std::unique_ptr<Output>> open_output(const std::string& name, SnapshotForm form) {
  Result<std::unique_ptr<Output>> output = open_text_output(name);
  if (!output || form == SnapshotForm::kText) return output;
  if ((*output)->is_terminal())
    return Error{Error::Kind::kUsage, not_for_terminals("the compact form")};
  return compact_into(std::move(*output));
}

std::unique_ptr<Output> stream_output(int fd, std::string name) {
  return std::make_unique<StreamOutput>(UniqueFd(fd), std::move(name));
}

Error output_error(const Output& output, int error_number) {
  if (error_number == EPIPE || interrupted()) return silent_error();
  const std::string kept = output.kept_as();
  return io_error(
      "write the snapshot to " + output.name(), error_number,
      kept.empty() ? advice_for(error_number) : "it is whole in " + kept + " in the same folder");
}

}  // namespace physmem::collect
