// SPDX-License-Identifier: MIT
// The classes of rows and of SnapshotInfo: immutable values with the fields of row_fields.h.
#pragma once

#include <pybind11/pybind11.h>

namespace physmem_python {

void define_rows(pybind11::module_& module);

}  // namespace physmem_python
