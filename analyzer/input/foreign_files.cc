// SPDX-License-Identifier: MIT
#include "analyzer/input/foreign_files.h"

#include "program/printable.h"

namespace physmem {

bool ForeignFiles::is_reported(const Error& error) {
  return !error.is_foreign || ++files_ == 1;
}

std::string ForeignFiles::others() const {
  if (files_ < 2) return {};
  return "and " + counted(files_ - 1, "more file") +
         (files_ == 2 ? " that is no snapshot" : " that are no snapshots");
}

}  // namespace physmem
