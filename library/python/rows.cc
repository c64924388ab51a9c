// SPDX-License-Identifier: MIT
#include "library/python/rows.h"

#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "library/python/row_fields.h"
#include "physmem/text.h"

namespace physmem_python {
namespace {

namespace py = pybind11;

py::object to_python(std::string_view text) {
  return py::str(physmem::utf8_name(text));
}
py::object to_python(std::uint64_t number) {
  return py::int_(number);
}
py::object to_python(std::int64_t difference) {
  return py::int_(difference);
}
py::object to_python(int number) {
  return py::int_(number);
}
py::object to_python(bool is_true) {
  return py::bool_(is_true);
}
template <class T>
py::object to_python(const std::optional<T>& value) {
  return value ? py::cast(*value) : py::none();
}

template <class Row>
py::object value_of(const Row& row, const Field<Row>& field) {
  return field.visit(row, [](const auto& value) { return to_python(value); });
}

template <class Row>
py::tuple values_of(const Row& row) {
  const auto fields = fields_of<Row>();
  py::tuple values(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) values[i] = value_of(row, fields[i]);
  return values;
}

/// A row that was pickled. It does not belong to a snapshot.
template <class Row>
struct OwnedRow {
  Row row;
  std::deque<std::string> texts;  ///< strings that the row refers to

  template <class Value>
  void set(Value Row::*field, const py::object& value) {
    if constexpr (std::is_same_v<Value, std::string_view>)
      row.*field = texts.emplace_back(value.cast<std::string>());
    else
      row.*field = value.cast<Value>();
  }
};

/// The opposite of values_of(). Fields that are computed from others are skipped.
template <class Row>
std::shared_ptr<Row> row_of(const py::tuple& values) {
  const auto fields = fields_of<Row>();
  if (values.size() != fields.size()) throw py::value_error("pickled by another version");
  const auto owned = std::make_shared<OwnedRow<Row>>();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto set = [&](auto to) {
      if constexpr (std::is_member_object_pointer_v<decltype(to)>)
        owned->set(to, py::object(values[i]));
    };
    std::visit(set, fields[i].source);
  }
  return {owned, &owned->row};
}

template <class Row>
std::string text_of(const Row& row) {
  py::list parts;
  for (const Field<Row>& field : fields_of<Row>())
    parts.append(py::str("{}={!r}").format(field.name, value_of(row, field)));
  return py::str(", ").attr("join")(parts).template cast<std::string>();
}

template <class Row>
py::dict dict_of(const Row& row) {
  py::dict values;
  for (const Field<Row>& field : fields_of<Row>()) values[field.name] = value_of(row, field);
  return values;
}

template <class Row>
void define_row(py::module_& module, const char* name, const char* doc) {
  py::class_<Row, std::shared_ptr<Row>> type(module, name, py::module_local(), doc);
  py::list names;
  for (const Field<Row>& field : fields_of<Row>()) {
    names.append(field.name);
    type.def_property_readonly(
        field.name, [&field](const Row& row) { return value_of(row, field); }, field.doc);
  }
  type.attr("_fields") = py::tuple(names);
  type.def("_asdict", dict_of<Row>, "_asdict(self)\n--\n\nReturns all fields by name.")
      .def("__repr__",
           [name](const Row& row) { return std::string(name) + "(" + text_of(row) + ")"; })
      .def(
          "__eq__",
          [](const Row& one, const Row& two) { return values_of(one).equal(values_of(two)); },
          py::is_operator())
      .def("__hash__", [](const Row& row) { return py::hash(values_of(row)); })
      .def_static("_of", row_of<Row>)
      .def("__reduce__", [type](const Row& row) {
        const py::object row_of_kind = py::module_::import("physmem").attr("_row");
        return py::make_tuple(row_of_kind, py::make_tuple(type, values_of(row)));
      });
}

}  // namespace

void define_rows(py::module_& module) {
  using namespace physmem;
  define_row<ProcessRow>(module, "ProcessRow", "An address space. Counts are in pages.");
  define_row<AreaRow>(module, "AreaRow", "A VMA. Counts are in pages.");
  define_row<UnitRow>(module, "UnitRow", "A mapped program or library. Counts are in pages.");
  define_row<MappingRow>(module, "MappingRow",
                         "Any mapped file, or a kind of memory that has no file.");
  define_row<UserRow>(module, "UserRow", "The processes of a user.");
  define_row<CgroupRow>(module, "CgroupRow", "The processes of a cgroup.");
  define_row<RegionRow>(module, "RegionRow", "Pages of all processes with the same use.");
  define_row<LedgerRow>(module, "LedgerRow", "A class of frames of RAM.");
  define_row<FrameOwnerRow>(module, "FrameOwnerRow", "An owner of frames of RAM.");
  define_row<CounterRow>(module, "CounterRow",
                         "A counter of the kernel, or a note and how often it occurred.");
  define_row<ProcessChangeRow>(module, "ProcessChangeRow", "Change of an address space, in pages.");
  define_row<AreaChangeRow>(module, "AreaChangeRow", "Change of a VMA, in pages.");
  define_row<UnitChangeRow>(module, "UnitChangeRow",
                            "Change of a mapped file, or of a kind of memory, in pages.");
  define_row<SnapshotInfo>(module, "SnapshotInfo",
                           "The header of a snapshot, and sums over its processes.");
}

}  // namespace physmem_python
