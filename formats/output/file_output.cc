// SPDX-License-Identifier: MIT
#include "formats/output/file_output.h"

#include <unistd.h>

#include <cerrno>

#include "program/output_target.h"

namespace physmem {

static_assert(sizeof(off_t) == 8, "files of more than 2 GiB (_FILE_OFFSET_BITS)");
namespace {

class FileOutput final : public Output {
 public:
  FileOutput(std::unique_ptr<OutputTarget> target, std::string name)
      : target_(std::move(target)), name_(std::move(name)) {}

  int write(std::string_view text) override {
    const int error = write_fully(target_->descriptor(), text);
    if (error == 0) size_ += static_cast<off_t>(text.size());
    return error;
  }
  int mark_whole() override {
    whole_ = size_;
    return 0;
  }
  bool keep_whole() override {
    if (::ftruncate(target_->descriptor(), whole_) != 0) return false;
    size_ = whole_;
    return ::lseek(target_->descriptor(), whole_, SEEK_SET) == whole_;
  }
  std::string name() const override { return name_; }

  int finish() override { return target_->commit(); }
  std::string kept_as() const override { return target_->kept_as(); }

 private:
  std::unique_ptr<OutputTarget> target_;
  std::string name_;
  off_t size_ = 0;   // bytes written in full
  off_t whole_ = 0;  // of these, bytes up to the last mark_whole()
};

}  // namespace

Result<std::unique_ptr<Output>> open_file_output(const std::string& path) {
  auto target = std::make_unique<OutputTarget>(path, kModeOfSnapshots);
  std::string name = path.empty() || path == "-" ? "standard output" : path;
  if (!target->problem().empty())
    return Error{Error::Kind::kIo, "cannot write to " + name + ": " + target->problem()};
  if (target->is_direct())
    return stream_output(target->release_direct().release(), std::move(name));
  return std::unique_ptr<Output>(std::make_unique<FileOutput>(std::move(target), std::move(name)));
}

}  // namespace physmem
