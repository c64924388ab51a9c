// SPDX-License-Identifier: MIT
#include "library/python/errors.h"

#include <pybind11/pybind11.h>

#include <cstdint>
#include <exception>
#include <string>

#include "physmem/error.h"

namespace physmem_python {
namespace {

namespace py = pybind11;

py::object or_none(std::uint64_t place) {
  return place == 0 ? py::object(py::none()) : py::object(py::int_(place));
}

/// A file name is bytes. It may be invalid UTF-8.
py::object text_of(const std::string& bytes) {
  return py::reinterpret_steal<py::object>(PyUnicode_DecodeUTF8(
      bytes.data(), static_cast<py::ssize_t>(bytes.size()), "surrogateescape"));
}

void raise(const physmem::SnapshotError& error) {
  const bool is_input = error.kind() == physmem::SnapshotError::Kind::kBadInput;
  const py::object raised =
      py::module_::import("physmem._errors")
          .attr("exception")(text_of(error.what()), is_input, error.code().value(),
                             py::arg("file") = text_of(error.file()),
                             py::arg("line") = or_none(error.line()),
                             py::arg("column") = or_none(error.column()));
  PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
}

}  // namespace

void translate_errors() {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): a function pointer of this type
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const physmem::SnapshotError& error) {
      raise(error);
    }
  });
}

}  // namespace physmem_python
