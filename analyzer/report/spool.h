// SPDX-License-Identifier: MIT
// Text that has to wait for its place in the output, on a disk.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

namespace physmem {

/// A file without a name in $TMPDIR, else /var/tmp, which is made for what may be large (a /tmp may
/// be memory); readable by nobody else, gone with the program.
class Spool {
 public:
  Spool();
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  std::ostream& stream();
  /// Empty, or the first thing that went wrong.
  std::string error() const;
  /// All that was written; nothing can be written any more.
  void copy_to(std::ostream& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace physmem
