// SPDX-License-Identifier: MIT
// The one way in which programs open an output. docs/collecting.md, "Output files", has the rules.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>

#include "program/output_place.h"
#include "program/temporary_file.h"
#include "program/unique_fd.h"

namespace physmem {

/// Modes of files that did not exist before; the umask applies.
inline constexpr mode_t kModeOfSnapshots = 0600;  ///< and of traces: what physmem reads again
inline constexpr mode_t kModeOfReports = 0666;

/// A file that appears whole or not at all: until commit() it has no name, or a temporary one where
/// the file system cannot do that. Destroyed without commit(), it leaves nothing, and an older file
/// stays as it was.
///
/// Devices, FIFOs and open descriptors (see find_output()) are written directly.
class OutputTarget {
 public:
  OutputTarget(const std::string& path, mode_t mode_if_new);
  ~OutputTarget();
  OutputTarget(const OutputTarget&) = delete;
  OutputTarget& operator=(const OutputTarget&) = delete;

  /// Empty, or why the output cannot be opened: "Permission denied", "it is a FIFO of user 7; …".
  const std::string& problem() const { return place_.problem; }
  /// Negative if there is a problem, and after commit().
  int descriptor() const { return file_.get(); }
  bool is_direct() const { return is_direct_; }
  bool is_terminal() const;

  /// If it is_direct(): the descriptor, for a writer that closes it instead of calling commit().
  UniqueFd release_direct() { return std::move(file_); }
  /// Flushes the file to its disk and puts it in its place. 0, or the error number; then an older
  /// file is unchanged, and kept_as() may have a name.
  int commit();
  /// Where a whole file is that could not take its name, next to it: another process made a
  /// directory of that name, for example. Empty if there is none.
  const std::string& kept_as() const { return kept_as_; }

 private:
  void open_direct();
  void open_temporary(mode_t mode_if_new);
  bool may_replace();
  bool keep_attributes();
  int take_name();
  void keep_under_another_name();

  OutputPlace place_;
  UniqueFd file_;
  bool is_direct_ = false;
  std::string temporary_;  ///< empty: the file has no name yet, or its final one
  std::string kept_as_;
};

/// A file that is written under its own name: a recording that grows, a pid file. It is created
/// with `mode_if_new`, or opened with contents, mode and owner unchanged. If all users can write to
/// the folder, a file with a second name (a hard link) is rejected.
struct OutputInPlace {
  UniqueFd file;
  bool is_descriptor;   ///< the descriptor was already open; its position is unchanged
  std::string problem;  ///< empty, or why it cannot be opened
};
OutputInPlace open_in_place(const std::string& path, int access, mode_t mode_if_new);

/// The end of the sentence that refuses a terminal: "WHAT is not text, and …".
std::string not_for_terminals(const std::string& what);

}  // namespace physmem
