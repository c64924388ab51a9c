// SPDX-License-Identifier: MIT
#pragma once

namespace physmem {

/// Opens /dev/null for each of the descriptors 0 to 2 that is closed. Otherwise the first file that
/// the program opens takes its number, and messages or a report are written into that file. Every
/// program calls it first.
void fill_standard_descriptors();

}  // namespace physmem
