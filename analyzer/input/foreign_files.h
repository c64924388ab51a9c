// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "program/result.h"

namespace physmem {

/// Files of directories that are something else than snapshots: the first one is reported with what
/// was found in it, the others are only counted. An empty file is not one of them: it may be a
/// snapshot that was not written.
class ForeignFiles {
 public:
  /// Whether the error of a file is to be reported by itself.
  bool is_reported(const Error& error);
  /// "and 12 more files that are no snapshots". Empty: there are none.
  std::string others() const;

 private:
  std::uint64_t files_ = 0;
};

}  // namespace physmem
