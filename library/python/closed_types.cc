// SPDX-License-Identifier: MIT
#include "library/python/closed_types.h"

namespace physmem_python {
namespace {

namespace py = pybind11;

PyObject* refuse_new(PyTypeObject* type, PyObject* /*arguments*/, PyObject* /*names*/) {
  PyErr_Format(PyExc_TypeError, "cannot create %s: functions of physmem return them",
               type->tp_name);
  return nullptr;
}

void refuse_pickling(py::handle type) {
  type.attr("__reduce__") = py::cpp_function(
      [](const py::object& self) -> py::object {
        throw py::type_error(
            py::str("cannot pickle physmem.{}").format(self.attr("__class__").attr("__name__")));
      },
      py::name("__reduce__"), py::is_method(type));
}

}  // namespace

void close_types(py::module_& module) {
  for (const auto& [name, member] : py::dict(module.attr("__dict__"))) {
    if (PyType_Check(member.ptr()) == 0) continue;
    if (!py::dict(member.attr("__dict__")).contains("__reduce__")) refuse_pickling(member);
    auto* const type = reinterpret_cast<PyTypeObject*>(member.ptr());
    type->tp_new = refuse_new;
#ifdef Py_TPFLAGS_IMMUTABLETYPE  // Python 3.10
    type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE;
#endif
    PyType_Modified(type);
  }
}

}  // namespace physmem_python
