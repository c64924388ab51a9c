// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "program/errors.h"

namespace physmem {

/// The output of one or several consecutive snapshots. If it is destroyed without finish(), no file
/// is left.
class Output {
 public:
  virtual ~Output() = default;
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Returns 0 or the error number. After an error nothing more should be written.
  virtual int write(std::string_view text) = 0;
  /// Marks that everything written so far is complete snapshots. Returns 0, or the error number if
  /// it could not all be written.
  virtual int mark_whole() = 0;
  /// Removes what was written after the last mark_whole(), so that finish() may follow, even after
  /// an error. Returns false if the reader has received it already.
  virtual bool keep_whole() = 0;
  /// Ends the output. Returns 0 or the error number.
  virtual int finish() = 0;
  /// After a failed finish(): the name of a whole file in the same folder; empty if there is none.
  virtual std::string kept_as() const { return {}; }
  /// Descriptor of a pipe whose reader may close it while nothing is written; negative: none.
  virtual int reader_fd() const { return -1; }
  virtual bool is_terminal() const { return false; }
  /// The name for messages: "standard output" or the name of the file.
  virtual std::string name() const = 0;
};

/// An output to memory, for programs that read what they collect. Its memory is reused for the next
/// snapshot.
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

/// An open file whose reader sees all data immediately (a pipe, a device), so nothing can be
/// removed again. finish() closes it.
std::unique_ptr<Output> stream_output(int fd, std::string name);

/// The message for an error number of write() or finish(). The text is empty for a closed pipe or a
/// signal.
Error output_error(const Output& output, int error_number);

/// Writes all bytes, in as many calls as needed. Returns 0 or the error number; EINTR only after
/// interrupted().
int write_fully(int fd, std::string_view text);

}  // namespace physmem
