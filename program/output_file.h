// SPDX-License-Identifier: MIT
// Output of a program: standard output, or a file that appears whole or not at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace physmem {

enum class OutputKind {
  kReport,    ///< a new file has the mode that the umask leaves of 0666
  kSnapshot,  ///< also for a trace, and a report of what is private: a new file has mode 0600
};

/// A report has the names and sizes of all processes. If other users may not read each of its
/// inputs, they may not read a new report either. They cannot read a pipe ("-") or a device.
OutputKind kind_of_output(const std::vector<std::string>& inputs);

/// A stream to an OutputTarget. Without commit(), or if a write failed, an existing file is
/// unchanged. Call ignore_output_signals() first, or a closed pipe ends the program before
/// closed_pipe() can be called.
class OutputFile {
 public:
  explicit OutputFile(std::string path, OutputKind kind = OutputKind::kReport);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream();
  /// Empty, or the first error as a sentence. Set by the constructor if the file cannot be opened,
  /// otherwise when the buffer is written.
  std::string error() const;
  /// Writes the rest of the buffer and puts the file in its place. Empty on success, otherwise
  /// error().
  std::string commit();
  /// True if the output is a terminal.
  bool is_terminal() const;
  /// The reader has closed the pipe (EPIPE), which is not an error for `| head`.
  bool closed_pipe() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace physmem
