// SPDX-License-Identifier: MIT
// SnapshotError as an exception of Python.
#pragma once

namespace physmem_python {

/// From now on a SnapshotError raises an exception of physmem/_errors.py.
void translate_errors();

}  // namespace physmem_python
