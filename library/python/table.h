// SPDX-License-Identifier: MIT
// A table of a snapshot: rows with attributes, and columns without a copy.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "library/python/arrow.h"
#include "library/python/column_data.h"
#include "library/python/row_fields.h"

namespace physmem_python {

namespace py = pybind11;

/// A column of numbers, with the buffer protocol.
struct NumberColumn {
  std::string name;
  std::shared_ptr<const ColumnData> data;

  py::object at(std::size_t row) const;
  py::buffer_info buffer() const;
};

/// A column of text.
struct TextColumn {
  std::string name;
  std::shared_ptr<const ColumnData> data;

  py::str at(std::size_t row) const;
};

class Table {
 public:
  virtual ~Table() = default;
  virtual std::size_t size() const = 0;
  virtual const std::vector<ArrowField>& columns() const = 0;
  virtual py::object row(std::size_t index) const = 0;

  /// A NumberColumn or a TextColumn.
  py::object column(const std::string& name);
  /// The data of a column, made at its first use; numpy and Arrow share it. nullptr: there is no
  /// such column.
  std::shared_ptr<const ColumnData> data(const std::string& name);
  ArrowBatch batch();

 protected:
  virtual ColumnData make(std::size_t column) const = 0;

 private:
  std::map<std::string, std::shared_ptr<const ColumnData>> made_;
};

/// Each row keeps `Of`, the snapshot or difference that it belongs to, alive.
template <class Of, class Row>
class RowTable : public Table {
 public:
  RowTable(const Of& of, const std::vector<Row>& rows)
      : of_(std::make_shared<Of>(of)), rows_(rows) {
    for (const Field<Row>& field : fields_of<Row>()) columns_.push_back({field.name, field.kind()});
  }

  std::size_t size() const override { return rows_.size(); }
  const std::vector<ArrowField>& columns() const override { return columns_; }
  py::object row(std::size_t index) const override {
    return py::cast(std::shared_ptr<Row>(of_, const_cast<Row*>(&rows_[index])));
  }

 protected:
  ColumnData make(std::size_t column) const override {
    ColumnData data(columns_[column].kind);
    const Field<Row>& field = fields_of<Row>()[column];
    for (const Row& row : rows_)
      field.visit(row, [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          data.add(std::string_view(value));
        else
          data.add(value);
      });
    return data;
  }

 private:
  std::shared_ptr<Of> of_;
  const std::vector<Row>& rows_;  ///< of it
  std::vector<ArrowField> columns_;
};

/// Defines the classes of tables and columns.
void define_tables(py::module_& module);

/// Capsules of the Arrow interface.
py::capsule schema_capsule(const std::vector<ArrowField>& fields);
py::capsule stream_capsule(std::vector<ArrowField> fields, NextBatch next);

}  // namespace physmem_python
