// SPDX-License-Identifier: MIT
// Where reports go: standard output, or a file that appears whole or not at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace physmem {

enum class OutputKind {
  kReport,    ///< a new file has the mode that the umask leaves of 0666
  kSnapshot,  ///< or a trace: 0600
};

/// A stream to an OutputTarget (program/), which has the rules. Without commit(), or when a write
/// failed, an older `path` stays as it was. ignore_output_signals() must have been called, or a
/// closed pipe ends the program before closed_pipe() can tell.
class OutputFile {
 public:
  explicit OutputFile(std::string path, OutputKind kind = OutputKind::kReport);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream();
  /// Empty, or the first thing that went wrong, as a sentence. Known after the constructor when the
  /// file cannot be opened, else as soon as the buffer was written.
  std::string error() const;
  /// Writes what is left and puts the file in its place. Empty when everything has arrived; else
  /// error().
  std::string commit();
  /// What is written is seen on a terminal.
  bool is_terminal() const;
  /// The reader went away (EPIPE): for `| head` no error at all.
  bool closed_pipe() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace physmem
