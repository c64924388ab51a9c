// SPDX-License-Identifier: MIT
#include "library/python/pages.h"

#include <pybind11/numpy.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "library/python/table.h"

namespace physmem_python {
namespace {

using Columns = physmem::PageBatchColumns;

struct PageColumn {
  const char* name;
  std::span<const std::uint64_t> Columns::*values;
  const char* doc;
};
constexpr std::array kColumns{
    PageColumn{"pid", &Columns::pid, "thread-group id"},
    PageColumn{"area", &Columns::area, "index in Snapshot.areas"},
    PageColumn{"address", &Columns::address, "virtual address"},
    PageColumn{"pfn", &Columns::pfn, "frame number; of a run, the first"},
    PageColumn{"count", &Columns::count, "mappings of each page"},
    PageColumn{"flags", &Columns::flags, "bits of PageFlag"},
    PageColumn{"pages", &Columns::pages, "pages of the run; 1 without runs"},
};

struct Batch {
  physmem::PageReader::Batch columns;

  /// Shares the memory of the batch, which lives as long as the array.
  py::array array(const PageColumn& column) const {
    const std::span<const std::uint64_t> values = (*columns).*column.values;
    auto* const kept = new physmem::PageReader::Batch(columns);
    const py::capsule owner(
        kept, [](void* batch) { delete static_cast<physmem::PageReader::Batch*>(batch); });
    py::array_t<std::uint64_t> made(static_cast<py::ssize_t>(values.size()), values.data(), owner);
    made.attr("setflags")(py::arg("write") = false);
    return made;
  }
};

std::vector<ArrowField> fields() {
  std::vector<ArrowField> all;
  all.reserve(kColumns.size());
  for (const PageColumn& column : kColumns) all.push_back({column.name, ColumnKind::kNumber});
  return all;
}

NextBatch batches_of(std::shared_ptr<PageIterator> iterator) {
  return [iterator = std::move(iterator)](ArrowBatch& batch) {
    const physmem::PageReader::Batch next = iterator->next();
    if (!next) return false;
    batch.rows = next->size();
    for (const PageColumn& column : kColumns)
      batch.columns.push_back({next, 0, {nullptr, ((*next).*column.values).data()}});
    return true;
  };
}

Batch next_batch(PageIterator& iterator) {
  Batch batch;
  {
    const py::gil_scoped_release released;
    batch.columns = iterator.next();
  }
  if (!batch.columns) throw py::stop_iteration();
  return batch;
}

}  // namespace

void define_pages(py::module_& module) {
  py::class_<Batch> batch(module, "PageBatch", py::module_local(),
                          "Rows of pages as numpy arrays of uint64, which share its memory.");
  batch.def("__len__", [](const Batch& of) { return of.columns->size(); });
  for (const PageColumn& column : kColumns)
    batch.def_property_readonly(
        column.name, [&column](const Batch& of) { return of.array(column); }, column.doc);
  py::class_<PageIterator, std::shared_ptr<PageIterator>>(
      module, "PageIterator", py::module_local(),
      "Iterates over batches of pages once, as an iterator of Python or as a stream of Arrow.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", next_batch)
      .def(
          "__arrow_c_schema__", [](const PageIterator&) { return schema_capsule(fields()); },
          "Arrow C data interface")
      .def(
          "__arrow_c_stream__",
          [](std::shared_ptr<PageIterator> iterator, const py::object&) {
            return stream_capsule(fields(), batches_of(std::move(iterator)));
          },
          py::arg("requested_schema") = py::none(), "Arrow C stream interface");
}

}  // namespace physmem_python
