// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "collector-proc/result.h"

namespace physmem::collect {

/// Where snapshots go, one or several after each other. Destroyed without finish(), it leaves
/// nothing behind.
class Output {
 public:
  virtual ~Output() = default;
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// 0, or the error number; then nothing more should be written.
  virtual int write(std::string_view text) = 0;
  /// What was written so far is whole snapshots: 0, or the error number; then it is not.
  virtual int mark_whole() = 0;
  /// Takes back what was written after the last mark_whole(), so that finish() may follow, even
  /// after an error. False where the reader has it already.
  virtual bool keep_whole() = 0;
  /// No more will come: 0, or the error number.
  virtual int finish() = 0;
  /// After a failed finish(): the name of a whole file in the same folder; empty if there is none.
  virtual std::string kept_as() const { return {}; }
  /// Whose other end may go away while nothing is written (a pipe); negative: nobody's.
  virtual int reader_fd() const { return -1; }
  virtual bool is_terminal() const { return false; }
  /// What the user calls it: "standard output" or the name of the file.
  virtual std::string name() const = 0;
};

/// An output that is text in memory, for programs that read what they collect. Its memory is kept
/// from snapshot to snapshot.
class TextOutput final : public Output {
 public:
  int write(std::string_view text) override {
    text_ += text;
    return 0;
  }
  int mark_whole() override {
    whole_ = text_.size();
    return 0;
  }
  bool keep_whole() override {
    text_.resize(whole_);
    return true;
  }
  int finish() override { return 0; }
  std::string name() const override { return "memory"; }

  const std::string& text() const { return text_; }
  void clear() {
    text_.clear();
    whole_ = 0;
  }

 private:
  std::string text_;
  std::size_t whole_ = 0;
};

enum class SnapshotForm { kText, kCompact };

/// "-" or an empty name is standard output, a name that ends in .zst is compressed. The compact
/// form is not for terminals.
Result<std::unique_ptr<Output>> open_output(const std::string& name,
                                            SnapshotForm form = SnapshotForm::kText);

/// An open file whose reader sees everything at once (a pipe, a device): nothing can be taken back.
/// finish() closes it.
std::unique_ptr<Output> stream_output(int fd, std::string name);

/// The sentence for an error number that write() or finish() returned; no text for a closed pipe or
/// a signal.
Error output_error(const Output& output, int error_number);

/// All of it, whatever pieces the kernel takes: 0, or the error number; EINTR only after
/// interrupted().
int write_fully(int fd, std::string_view text);

}  // namespace physmem::collect
