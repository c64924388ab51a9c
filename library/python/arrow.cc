// SPDX-License-Identifier: MIT
#include "library/python/arrow.h"

#include <cerrno>
#include <exception>
#include <new>
#include <utility>

namespace physmem_python {
namespace {

constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE

const char* format_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kDifference:
      return "l";
    case ColumnKind::kOptionalReal:
      return "g";
    case ColumnKind::kText:
      return "U";  // 64-bit offsets
    default:
      return "L";
  }
}

/// What a structure for a consumer refers to, with its children. `T`: ArrowSchema or ArrowArray.
template <class T>
struct Exported {
  std::string name;
  ArrowColumn column;
  std::vector<T> children;
  std::vector<T*> child_pointers;

  /// Releases the children that the consumer has not taken.
  static void release(T* exported) {
    for (std::int64_t i = 0; i < exported->n_children; ++i)
      if (exported->children[i]->release != nullptr)
        exported->children[i]->release(exported->children[i]);
    delete static_cast<Exported*>(exported->private_data);
    exported->release = nullptr;
  }

  void own_by(T& exported) {
    exported.n_children = static_cast<std::int64_t>(children.size());
    exported.children = child_pointers.data();
    exported.release = release;
    exported.private_data = this;
  }

  void make_children(std::size_t n) {
    children.resize(n);
    for (T& child : children) child_pointers.push_back(&child);
  }
};

void export_field(const ArrowField& field, ArrowSchema& schema) {
  auto* const kept = new Exported<ArrowSchema>{field.name, {}, {}, {}};
  schema = {};
  schema.format = format_of(field.kind);
  schema.name = kept->name.c_str();
  schema.flags =
      field.kind == ColumnKind::kOptionalNumber || field.kind == ColumnKind::kOptionalReal
          ? kNullable
          : 0;
  kept->own_by(schema);
}

void export_column(ArrowColumn column, std::size_t rows, ArrowArray& array) {
  auto* const kept = new Exported<ArrowArray>{{}, std::move(column), {}, {}};
  array = {};
  array.length = static_cast<std::int64_t>(rows);
  array.null_count = kept->column.missing;
  array.n_buffers = static_cast<std::int64_t>(kept->column.buffers.size());
  array.buffers = kept->column.buffers.data();
  kept->own_by(array);
}

void export_batch(ArrowBatch batch, ArrowArray& array) {
  auto kept = std::make_unique<Exported<ArrowArray>>();
  kept->column.buffers = {nullptr};
  kept->make_children(batch.columns.size());
  for (std::size_t i = 0; i < batch.columns.size(); ++i)
    export_column(std::move(batch.columns[i]), batch.rows, kept->children[i]);
  array = {};
  array.length = static_cast<std::int64_t>(batch.rows);
  array.n_buffers = 1;
  array.buffers = kept->column.buffers.data();
  kept.release()->own_by(array);
}

struct Stream {
  std::vector<ArrowField> fields;
  NextBatch next;
  std::string error;

  static Stream& of(ArrowArrayStream* stream) {
    return *static_cast<Stream*>(stream->private_data);
  }

  /// 0, or an error number.
  template <class Work>
  int attempt(Work work) {
    try {
      work();
      return 0;
    } catch (const std::bad_alloc&) {
      error = "out of memory";
      return ENOMEM;
    } catch (const std::exception& thrown) {
      error = thrown.what();
      return EIO;
    }
  }

  static int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
    return of(stream).attempt([&] { export_schema(of(stream).fields, *schema); });
  }
  static int get_next(ArrowArrayStream* stream, ArrowArray* array) {
    return of(stream).attempt([&] {
      ArrowBatch batch;
      if (of(stream).next(batch))
        export_batch(std::move(batch), *array);
      else
        *array = {};
    });
  }
  static const char* get_last_error(ArrowArrayStream* stream) {
    const std::string& error = of(stream).error;
    return error.empty() ? nullptr : error.c_str();
  }
  static void release(ArrowArrayStream* stream) {
    delete &of(stream);
    stream->release = nullptr;
  }
};

}  // namespace

ArrowColumn arrow_column(std::shared_ptr<const ColumnData> data) {
  ArrowColumn column;
  column.missing = static_cast<std::int64_t>(data->missing());
  column.buffers = {data->missing() == 0 ? nullptr : data->valid().data()};
  switch (data->kind()) {
    case ColumnKind::kDifference:
      column.buffers.push_back(data->differences().data());
      break;
    case ColumnKind::kOptionalReal:
      column.buffers.push_back(data->reals().data());
      break;
    case ColumnKind::kText:
      column.buffers.push_back(data->text_ends().data());
      column.buffers.push_back(data->texts().data());
      break;
    default:
      column.buffers.push_back(data->numbers().data());
  }
  column.owner = std::move(data);
  return column;
}

void export_schema(const std::vector<ArrowField>& fields, ArrowSchema& schema) {
  auto kept = std::make_unique<Exported<ArrowSchema>>();
  kept->make_children(fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) export_field(fields[i], kept->children[i]);
  schema = {};
  schema.format = "+s";
  schema.name = "";
  kept.release()->own_by(schema);
}

void export_stream(std::vector<ArrowField> fields, NextBatch next, ArrowArrayStream& stream) {
  stream = {Stream::get_schema, Stream::get_next, Stream::get_last_error, Stream::release,
            new Stream{std::move(fields), std::move(next), {}}};
}

}  // namespace physmem_python
