// SPDX-License-Identifier: MIT
// Where reports go: standard output, or a file that appears whole or not at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace physmem {

/// A stream to standard output ("" or "-") or to a temporary name beside `path`, mode 0600, renamed by
/// commit(). Without commit(), or when a write failed, the temporary file is removed and an older `path`
/// stays as it was.
///
/// A symbolic link stays, and the file it names is replaced. What cannot be renamed over (a FIFO, /dev/full)
/// is written directly; /dev/stdout and /dev/fd/N mean the open descriptor, so that `>> log` keeps its place.
/// SIGPIPE must be ignored, or a closed pipe ends the program before closed_pipe() can tell.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  std::ostream& stream();
  /// Empty, or the first thing that went wrong, as a sentence. Known after the constructor when the file
  /// cannot be opened, else as soon as the buffer was written.
  std::string error() const;
  /// Writes what is left and puts the file in its place. Empty when everything has arrived; else error().
  std::string commit();
  /// The reader went away (EPIPE): for `| head` no error at all.
  bool closed_pipe() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace physmem
