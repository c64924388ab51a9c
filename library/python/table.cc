// SPDX-License-Identifier: MIT
#include "library/python/table.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <string_view>

namespace physmem_python {
namespace {

/// An index of Python: negative numbers count from the end.
std::size_t row_at(py::ssize_t index, std::size_t size) {
  const auto rows = static_cast<py::ssize_t>(size);
  if (index < -rows || index >= rows) throw py::index_error("row out of range");
  return static_cast<std::size_t>(index < 0 ? index + rows : index);
}

/// Iterates over anything with size() and an item by number.
template <class Of>
struct Rows {
  std::shared_ptr<Of> of;
  std::size_t next = 0;
};

template <class Of, class Item>
void define_sequence(py::module_& module, py::class_<Of, std::shared_ptr<Of>>& type,
                     const char* iterator_name, std::size_t (*size)(const Of&), Item item) {
  py::class_<Rows<Of>>(module, iterator_name, py::module_local())
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", [size, item](Rows<Of>& rows) {
        if (rows.next == size(*rows.of)) throw py::stop_iteration();
        return item(*rows.of, rows.next++);
      });
  const py::object sequence = py::module_::import("collections.abc").attr("Sequence");
  for (const char* const name : {"__contains__", "__reversed__", "count", "index"})
    type.attr(name) = sequence.attr(name);
  sequence.attr("register")(type);
  type.def("__len__", size)
      .def("__iter__", [](std::shared_ptr<Of> of) { return Rows<Of>{std::move(of)}; })
      .def("__getitem__",
           [size, item](const Of& of, py::ssize_t index) {
             return item(of, row_at(index, size(of)));
           })
      .def("__getitem__", [size, item](const Of& of, const py::slice& slice) {
        std::size_t start = 0, stop = 0, step = 0, length = 0;
        if (!slice.compute(size(of), &start, &stop, &step, &length)) throw py::error_already_set();
        py::list items;
        for (std::size_t i = 0; i < length; ++i, start += step) items.append(item(of, start));
        return items;
      });
}

template <class Column>
void define_column(py::module_& module, py::class_<Column, std::shared_ptr<Column>>& type,
                   const char* iterator_name) {
  define_sequence(
      module, type, iterator_name, +[](const Column& column) { return column.data->size(); },
      [](const Column& column, std::size_t row) -> py::object { return column.at(row); });
  type.def_readonly("name", &Column::name, "name of the column")
      .def("__repr__", [](const py::object& self) {
        return py::str("<physmem.{} {} of {} rows>")
            .format(self.attr("__class__").attr("__name__"), self.attr("name"), py::len(self));
      });
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const ArrowField& field : table.columns()) names.push_back(field.name);
  return names;
}

/// All columns as numpy arrays by name. Columns of text are arrays of str.
py::dict arrays_of(Table& table) {
  const py::module_ numpy = py::module_::import("numpy");
  py::dict arrays;
  for (const ArrowField& field : table.columns()) {
    const py::object column = table.column(field.name);
    arrays[py::str(field.name)] =
        field.kind == ColumnKind::kText
            ? numpy.attr("array")(py::list(column), py::arg("dtype") = "O")
            : numpy.attr("asarray")(column);
  }
  return arrays;
}

/// One batch with all rows.
NextBatch batch_of(Table& table) {
  return [batch = table.batch(), is_taken = false](ArrowBatch& next) mutable {
    if (std::exchange(is_taken, true)) return false;
    next = std::move(batch);
    return true;
  };
}

void define_table(py::module_& module) {
  py::class_<Table, std::shared_ptr<Table>> type(
      module, "Table", py::module_local(),
      "Rows of a snapshot: a sequence of rows, and columns that numpy and Arrow take as they are.");
  define_sequence(
      module, type, "_TableIterator", +[](const Table& table) { return table.size(); },
      [](const Table& table, std::size_t row) { return table.row(row); });
  type.def_property_readonly("columns", names_of, "names of the columns")
      .def("column", &Table::column, py::arg("name"),
           "column(self, name)\n--\n\n"
           "Returns a column: numbers have the buffer protocol, so numpy.asarray(column) does not "
           "copy. Columns in which numbers may be missing are float64 with NaN.")
      .def("arrays", arrays_of,
           "arrays(self)\n--\n\n"
           "Returns all columns as numpy arrays by name, for example for pandas.DataFrame.")
      .def(
          "__arrow_c_schema__", [](const Table& table) { return schema_capsule(table.columns()); },
          "Arrow C data interface")
      .def(
          "__arrow_c_stream__",
          [](Table& table, const py::object&) {
            return stream_capsule(table.columns(), batch_of(table));
          },
          py::arg("requested_schema") = py::none(), "Arrow C stream interface")
      .def("__repr__", [](const Table& table) {
        return py::str("<physmem.Table of {} rows: {}>")
            .format(table.size(), py::str(", ").attr("join")(names_of(table)));
      });
}

/// The capsule releases the structure if no consumer has taken it.
template <class T>
py::capsule capsule_of(std::unique_ptr<T> exported, const char* name) {
  PyObject* const made = PyCapsule_New(exported.get(), name, [](PyObject* capsule) {
    auto* const left = static_cast<T*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
    if (left->release != nullptr) left->release(left);
    delete left;
  });
  if (made == nullptr) {
    exported->release(exported.get());
    throw py::error_already_set();
  }
  static_cast<void>(exported.release());
  return py::reinterpret_steal<py::capsule>(made);
}

}  // namespace

py::object NumberColumn::at(std::size_t row) const {
  if (!data->has(row)) return py::none();
  if (data->kind() == ColumnKind::kOptionalReal) return py::float_(data->real(row));
  if (data->kind() == ColumnKind::kDifference) return py::int_(data->difference(row));
  return py::int_(data->number(row));
}

py::buffer_info NumberColumn::buffer() const {
  const auto size = static_cast<py::ssize_t>(data->size());
  if (data->kind() == ColumnKind::kDifference)
    return {const_cast<std::int64_t*>(data->differences().data()), size, true};
  if (data->kind() != ColumnKind::kNumber)
    return {const_cast<double*>(data->reals().data()), size, true};
  return {const_cast<std::uint64_t*>(data->numbers().data()), size, true};
}

py::str TextColumn::at(std::size_t row) const {
  const std::string_view text = data->text(row);
  return {text.data(), text.size()};
}

std::shared_ptr<const ColumnData> Table::data(const std::string& name) {
  const auto& fields = columns();
  const auto field =
      std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.name == name; });
  if (field == fields.end()) return nullptr;
  std::shared_ptr<const ColumnData>& made = made_[name];
  if (!made)
    made = std::make_shared<ColumnData>(make(static_cast<std::size_t>(field - fields.begin())));
  return made;
}

py::object Table::column(const std::string& name) {
  std::shared_ptr<const ColumnData> found = data(name);
  if (!found) throw py::key_error(name);
  if (found->kind() == ColumnKind::kText)
    return py::cast(std::make_shared<TextColumn>(TextColumn{name, std::move(found)}));
  return py::cast(std::make_shared<NumberColumn>(NumberColumn{name, std::move(found)}));
}

ArrowBatch Table::batch() {
  ArrowBatch all;
  all.rows = size();
  for (const ArrowField& field : columns()) all.columns.push_back(arrow_column(data(field.name)));
  return all;
}

void define_tables(py::module_& module) {
  py::class_<NumberColumn, std::shared_ptr<NumberColumn>> numbers(
      module, "NumberColumn", py::buffer_protocol(), py::module_local(),
      "Numbers of a column: a sequence, and a read-only buffer of uint64, int64 or float64.");
  define_column(module, numbers, "_NumberIterator");
  numbers.def_buffer(&NumberColumn::buffer);
  py::class_<TextColumn, std::shared_ptr<TextColumn>> texts(
      module, "TextColumn", py::module_local(), "Text of a column: a sequence of str.");
  define_column(module, texts, "_TextIterator");
  define_table(module);
}

py::capsule schema_capsule(const std::vector<ArrowField>& fields) {
  auto schema = std::make_unique<ArrowSchema>();
  export_schema(fields, *schema);
  return capsule_of(std::move(schema), "arrow_schema");
}

py::capsule stream_capsule(std::vector<ArrowField> fields, NextBatch next) {
  auto stream = std::make_unique<ArrowArrayStream>();
  export_stream(std::move(fields), std::move(next), *stream);
  return capsule_of(std::move(stream), "arrow_array_stream");
}

}  // namespace physmem_python
