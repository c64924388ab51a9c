// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace physmem_python {

/// Only the module makes instances of its types. An instance that Python makes, as by
/// ProcessRow.__new__(ProcessRow), or whose __class__ it changes, has no C++ object of its type:
/// its next use would crash. So both raise a TypeError, and so does pickling of a type without a
/// __reduce__ of its own. Types cannot be changed afterwards.
void close_types(pybind11::module_& module);

}  // namespace physmem_python
