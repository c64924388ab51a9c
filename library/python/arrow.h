// SPDX-License-Identifier: MIT
// The Arrow C data and stream interface: tables without a copy for pandas, polars, DuckDB, pyarrow.
// https://arrow.apache.org/docs/format/CDataInterface.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "library/python/column_data.h"

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace physmem_python {

struct ArrowField {
  std::string name;
  ColumnKind kind = ColumnKind::kNumber;
};

/// A column, and the owner of its memory.
struct ArrowColumn {
  std::shared_ptr<const void> owner;
  std::int64_t missing = 0;
  std::vector<const void*> buffers;  ///< the first: valid bits, or null
};
ArrowColumn arrow_column(std::shared_ptr<const ColumnData> data);

struct ArrowBatch {
  std::size_t rows = 0;
  std::vector<ArrowColumn> columns;
};

/// Sets `schema` to a struct of these fields. Its consumer releases it.
void export_schema(const std::vector<ArrowField>& fields, ArrowSchema& schema);

/// Returns false after the last batch. An exception is an error of the stream.
using NextBatch = std::function<bool(ArrowBatch&)>;
void export_stream(std::vector<ArrowField> fields, NextBatch next, ArrowArrayStream& stream);

}  // namespace physmem_python
