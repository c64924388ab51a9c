// SPDX-License-Identifier: MIT
// The Python module over the API of libphysmem (physmem/).
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "physmem/flags.h"
#include "physmem/series.h"
#include "physmem/snapshot.h"
#include "physmem/version.h"
#include "python/errors.h"
#include "python/pages.h"
#include "python/rows.h"
#include "python/table.h"

namespace physmem_python {
namespace {

using physmem::OpenOptions;
using physmem::Snapshot;
using physmem::SnapshotInfo;

/// A snapshot with its tables, which keep the columns that were made.
class SnapshotTables {
 public:
  explicit SnapshotTables(Snapshot of) : snapshot(std::move(of)) {}

  template <class Row>
  std::shared_ptr<Table> table(const std::vector<Row>& (Snapshot::*rows)() const) {
    const auto& all = (snapshot.*rows)();
    std::shared_ptr<Table>& made = tables_[&all];
    if (!made) made = std::make_shared<RowTable<Row>>(snapshot, all);
    return made;
  }

  const Snapshot snapshot;

 private:
  std::map<const void*, std::shared_ptr<Table>> tables_;  ///< by their rows
};

std::shared_ptr<SnapshotTables> open(const std::filesystem::path& path,
                                     const OpenOptions& options) {
  return std::make_shared<SnapshotTables>(Snapshot::open(path, options));
}

/// A property that is a table.
template <class Row>
auto table_of(const std::vector<Row>& (Snapshot::*rows)() const) {
  return [rows](SnapshotTables& of) { return of.table(rows); };
}

void define_snapshot(py::module_& module) {
  py::class_<SnapshotTables, std::shared_ptr<SnapshotTables>>(
      module, "Snapshot", py::module_local(), "A snapshot that was read. Counts are in pages.")
      .def_property_readonly("path", [](const SnapshotTables& of) { return of.snapshot.path(); })
      .def_property_readonly(
          "info",
          [](const SnapshotTables& of) {
            return std::make_shared<SnapshotInfo>(of.snapshot.info());
          },
          "its header, and sums over its processes")
      .def_property_readonly("processes", table_of(&Snapshot::processes), "address spaces")
      .def_property_readonly("areas", table_of(&Snapshot::areas), "VMAs, by process and address")
      .def_property_readonly("units", table_of(&Snapshot::units),
                             "mapped programs and libraries, largest first")
      .def_property_readonly("mappings", table_of(&Snapshot::mappings),
                             "all mapped files, and kinds of memory without one")
      .def_property_readonly("users", table_of(&Snapshot::users))
      .def_property_readonly("cgroups", table_of(&Snapshot::cgroups))
      .def_property_readonly("regions", table_of(&Snapshot::regions), "pages by use")
      .def_property_readonly("ledger", table_of(&Snapshot::ledger),
                             "frames of RAM by class, if info.has_ram")
      .def_property_readonly("owners", table_of(&Snapshot::owners), "owners of frames of RAM")
      .def_property_readonly("counters", table_of(&Snapshot::counters), "counters of the kernel")
      .def_property_readonly("notes", table_of(&Snapshot::notes),
                             "what is missing from the snapshot, and why")
      .def(
          "pages",
          [](const SnapshotTables& of, bool runs, std::size_t batch_rows) {
            const physmem::PageOptions options{.as_runs = runs, .batch_rows = batch_rows};
            return std::make_shared<PageIterator>(of.snapshot.pages(options));
          },
          py::kw_only(), py::arg("runs") = false,
          py::arg("batch_rows") = physmem::PageOptions().batch_rows,
          "Reads the file again, and iterates over its pages in batches of numpy arrays.\n\n"
          "runs: a row per run of adjacent pages with equal flags and counts. batch_rows: most "
          "rows of a batch.")
      .def("__repr__", [](const SnapshotTables& of) {
        return py::str("<physmem.Snapshot {!r}: {} processes, {}>")
            .format(py::str(py::cast(of.snapshot.path())), of.snapshot.processes().size(),
                    of.snapshot.info().kernel);
      });
}

OpenOptions options_of(const std::vector<std::uint64_t>& pids, bool areas, std::size_t jobs) {
  return {.pids = pids, .keeps_areas = areas, .jobs = jobs};
}

/// An iterator over the snapshots of a file.
class Series {
 public:
  Series(const std::filesystem::path& path, const OpenOptions& options) : reader_(path, options) {}

  std::shared_ptr<SnapshotTables> next() {
    const std::lock_guard lock(mutex_);
    std::optional<Snapshot> found = reader_.next();
    if (!found) throw py::stop_iteration();
    return std::make_shared<SnapshotTables>(*std::move(found));
  }

 private:
  physmem::SeriesReader reader_;
  std::mutex mutex_;
};

void define_opening(py::module_& module) {
  using released = py::call_guard<py::gil_scoped_release>;
  module.def(
      "open",
      [](const std::filesystem::path& path, const std::vector<std::uint64_t>& pids, bool areas,
         std::size_t jobs) { return open(path, options_of(pids, areas, jobs)); },
      py::arg("path"), py::kw_only(), py::arg("pids") = std::vector<std::uint64_t>(),
      py::arg("areas") = true, py::arg("jobs") = 1, released(),
      "Reads a snapshot, text or compact, compressed or not; of a series, the first.\n\n"
      "pids: only these processes. areas: False leaves Snapshot.areas empty, which saves memory. "
      "jobs: threads that read a long text. Raises physmem.Error.");
  module.def(
      "series",
      [](const std::filesystem::path& path, const std::vector<std::uint64_t>& pids, bool areas,
         std::size_t jobs) {
        return std::make_unique<Series>(path, options_of(pids, areas, jobs));
      },
      py::arg("path"), py::kw_only(), py::arg("pids") = std::vector<std::uint64_t>(),
      py::arg("areas") = true, py::arg("jobs") = 1, released(),
      "Iterates over all snapshots of a file. Arguments are those of open().");
  py::class_<Series>(module, "Series", py::module_local(), "Iterates over snapshots of a file.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &Series::next, released());
}

/// Members of the enumerations in __init__.py.
void define_flags(py::module_& module) {
  namespace area = physmem::area_flag;
  namespace page = physmem::page_flag;
  using namespace py::literals;
  module.attr("area_flags") =
      py::dict("READ"_a = area::kRead, "WRITE"_a = area::kWrite, "EXECUTE"_a = area::kExecute,
               "SHARED"_a = area::kShared, "GROWS_DOWN"_a = area::kGrowsDown,
               "PROGRAM"_a = area::kProgram, "BSS"_a = area::kBss);
  module.attr("page_flags") = py::dict(
      "LOCKED"_a = page::kLocked, "ERROR"_a = page::kError, "REFERENCED"_a = page::kReferenced,
      "UP_TO_DATE"_a = page::kUpToDate, "DIRTY"_a = page::kDirty, "LRU"_a = page::kLru,
      "ACTIVE"_a = page::kActive, "SLAB"_a = page::kSlab, "WRITEBACK"_a = page::kWriteback,
      "RECLAIM"_a = page::kReclaim, "BUDDY"_a = page::kBuddy, "MAPPED"_a = page::kMapped,
      "ANONYMOUS"_a = page::kAnonymous, "SWAP_CACHE"_a = page::kSwapCache,
      "SWAP_BACKED"_a = page::kSwapBacked, "COMPOUND_HEAD"_a = page::kCompoundHead,
      "COMPOUND_TAIL"_a = page::kCompoundTail, "HUGETLB"_a = page::kHugetlb,
      "UNEVICTABLE"_a = page::kUnevictable, "HARDWARE_POISON"_a = page::kHardwarePoison,
      "NO_PAGE"_a = page::kNoPage, "KSM"_a = page::kKsm,
      "TRANSPARENT_HUGE"_a = page::kTransparentHuge, "OFFLINE"_a = page::kOffline,
      "ZERO_PAGE"_a = page::kZeroPage, "IDLE"_a = page::kIdle, "PAGE_TABLE"_a = page::kPageTable);
}

}  // namespace
}  // namespace physmem_python

PYBIND11_MODULE(_physmem, module) {
  module.doc() = "Reads and analyzes snapshots of a Linux system's physical memory.";
  module.attr("__version__") = physmem::library_version();
  // Docstrings have signatures in the form that inspect.signature() reads.
  pybind11::options options;
  options.disable_function_signatures();
  physmem_python::translate_errors();
  physmem_python::define_rows(module);
  physmem_python::define_tables(module);
  physmem_python::define_pages(module);
  physmem_python::define_snapshot(module);
  physmem_python::define_opening(module);
  physmem_python::define_flags(module);
}
