// SPDX-License-Identifier: MIT
// Keeps text on disk until its place in the output is reached.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

namespace physmem {

/// $TMPDIR, otherwise /var/tmp.
std::string temporary_folder();

/// A file without a name in $TMPDIR, otherwise in /var/tmp, because /tmp may be in memory. Only the
/// user can read it, and it disappears with the program.
class Spool {
 public:
  Spool();
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  std::ostream& stream();
  /// Empty, or the first error.
  std::string error() const;
  /// Copies everything that was written. Nothing can be written afterwards.
  void copy_to(std::ostream& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace physmem
