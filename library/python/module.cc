// SPDX-License-Identifier: MIT
// The Python module over the API of libphysmem (physmem/).
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "library/python/closed_types.h"
#include "library/python/errors.h"
#include "library/python/pages.h"
#include "library/python/rows.h"
#include "library/python/table.h"
#include "physmem/difference.h"
#include "physmem/flags.h"
#include "physmem/series.h"
#include "physmem/snapshot.h"
#include "physmem/text.h"
#include "physmem/version.h"

namespace physmem_python {
namespace {

using physmem::Difference;
using physmem::OpenOptions;
using physmem::Snapshot;
using physmem::SnapshotInfo;

/// A snapshot or difference with its tables, which keep the columns that were made.
template <class Of>
class Tables {
 public:
  explicit Tables(Of whole) : of(std::move(whole)) {}

  template <class Row>
  std::shared_ptr<Table> table(const std::vector<Row>& (Of::*rows)() const) {
    const auto& all = (of.*rows)();
    std::shared_ptr<Table>& made = tables_[&all];
    if (!made) made = std::make_shared<RowTable<Of, Row>>(of, all);
    return made;
  }

  const Of of;

 private:
  std::map<const void*, std::shared_ptr<Table>> tables_;  ///< by their rows
};
using SnapshotTables = Tables<Snapshot>;
using DifferenceTables = Tables<Difference>;

/// Any iterable of whole numbers, also numpy's.
std::vector<std::uint64_t> pids_of(const py::object& pids) {
  const bool is_text = py::isinstance<py::str>(pids) || py::isinstance<py::bytes>(pids);
  if (is_text || !py::isinstance<py::iterable>(pids))
    throw py::type_error(py::str("pids: found {!r}, expected an iterable of int").format(pids));
  std::vector<std::uint64_t> numbers;
  for (const py::handle pid : py::iter(pids)) {
    if (PyIndex_Check(pid.ptr()) == 0)
      throw py::type_error(py::str("pids: found {!r}, expected an int").format(pid));
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(pid.ptr()));
    if (!number) throw py::error_already_set();
    numbers.push_back(PyLong_AsUnsignedLongLong(number.ptr()));
    if (PyErr_Occurred() == nullptr) continue;
    PyErr_Clear();
    throw py::value_error(py::str("pids: found {}, expected a process id").format(number));
  }
  return numbers;
}

/// The library rejects 0.
std::size_t count_of(const char* name, py::ssize_t count) {
  if (count >= 0) return static_cast<std::size_t>(count);
  throw py::value_error(py::str("{}: found {}, expected at least 1").format(name, count));
}

OpenOptions options_of(const py::object& pids, bool areas, py::ssize_t jobs) {
  return {.pids = pids_of(pids), .keeps_areas = areas, .jobs = count_of("jobs", jobs)};
}

/// A property that is a table.
template <class Of, class Row>
auto table_of(const std::vector<Row>& (Of::*rows)() const) {
  return [rows](Tables<Of>& tables) { return tables.table(rows); };
}

void define_snapshot(py::module_& module) {
  py::class_<SnapshotTables, std::shared_ptr<SnapshotTables>>(
      module, "Snapshot", py::module_local(), "A snapshot that was read. Counts are in pages.")
      .def_property_readonly(
          "path", [](const SnapshotTables& snapshot) { return snapshot.of.path(); },
          "path of its file")
      .def_property_readonly(
          "info",
          [](const SnapshotTables& snapshot) {
            return std::make_shared<SnapshotInfo>(snapshot.of.info());
          },
          "its header, and sums over its processes")
      .def_property_readonly("processes", table_of(&Snapshot::processes), "address spaces")
      .def_property_readonly("areas", table_of(&Snapshot::areas), "VMAs, by process and address")
      .def_property_readonly("units", table_of(&Snapshot::units),
                             "mapped programs and libraries, largest first")
      .def_property_readonly("mappings", table_of(&Snapshot::mappings),
                             "all mapped files, and kinds of memory without one")
      .def_property_readonly("users", table_of(&Snapshot::users), "users, with their processes")
      .def_property_readonly("cgroups", table_of(&Snapshot::cgroups),
                             "cgroups, with their processes")
      .def_property_readonly("regions", table_of(&Snapshot::regions), "pages by use")
      .def_property_readonly("ledger", table_of(&Snapshot::ledger),
                             "frames of RAM by class, if info.has_ram")
      .def_property_readonly("owners", table_of(&Snapshot::owners), "owners of frames of RAM")
      .def_property_readonly("counters", table_of(&Snapshot::counters), "counters of the kernel")
      .def_property_readonly("notes", table_of(&Snapshot::notes),
                             "what is missing from the snapshot, and why")
      .def(
          "pages",
          [](const SnapshotTables& snapshot, bool runs, py::ssize_t batch_rows) {
            const physmem::PageOptions options{.as_runs = runs,
                                               .batch_rows = count_of("batch_rows", batch_rows)};
            return std::make_shared<PageIterator>(snapshot.of.pages(options));
          },
          py::kw_only(), py::arg("runs") = false,
          py::arg("batch_rows") = physmem::PageOptions().batch_rows,
          "pages(self, *, runs=False, batch_rows=32768)\n--\n\n"
          "Reads the file again, and iterates over its pages in batches of numpy arrays.\n\n"
          "runs: one row per run of adjacent pages with equal flags and counts.\n"
          "batch_rows: the largest number of rows of a batch, at most 2**24.\n\n"
          "The file must be a regular file that has not changed.")
      .def("__repr__", [](const SnapshotTables& snapshot) {
        return py::str("<physmem.Snapshot {!r}: {} processes, {}>")
            .format(py::str(py::cast(snapshot.of.path())), snapshot.of.processes().size(),
                    physmem::utf8_name(snapshot.of.info().kernel));
      });
}

void define_difference(py::module_& module) {
  py::class_<DifferenceTables, std::shared_ptr<DifferenceTables>>(
      module, "Difference", py::module_local(),
      "What changed between two snapshots. Counts are in pages, changed or not.")
      .def_property_readonly("processes", table_of(&Difference::processes),
                             "address spaces, those that are gone last")
      .def_property_readonly("areas", table_of(&Difference::areas), "VMAs")
      .def_property_readonly("units", table_of(&Difference::units),
                             "mapped files, and kinds of memory without one")
      .def("__repr__", [](const DifferenceTables& difference) {
        return py::str("<physmem.Difference of {} processes>")
            .format(difference.of.processes().size());
      });
  module.def(
      "diff",
      [](const std::filesystem::path& before, const std::filesystem::path& after,
         const py::object& pids, py::ssize_t jobs) {
        const OpenOptions options = options_of(pids, true, jobs);
        const py::gil_scoped_release released;
        return std::make_shared<DifferenceTables>(Difference::between(before, after, options));
      },
      py::arg("before"), py::arg("after"), py::kw_only(), py::arg("pids") = py::tuple(),
      py::arg("jobs") = 1,
      "diff(before, after, *, pids=(), jobs=1)\n--\n\n"
      "Compares the first snapshots of two files, as `physmem diff` does. The arguments are those "
      "of "
      "open().");
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

/// Defines a function that calls read(path, options) without the interpreter's lock.
template <class Read>
void define_reader(py::module_& module, const char* name, Read read, const char* doc) {
  module.def(
      name,
      [read](const std::filesystem::path& path, const py::object& pids, bool areas,
             py::ssize_t jobs) {
        const OpenOptions options = options_of(pids, areas, jobs);
        const py::gil_scoped_release released;
        return read(path, options);
      },
      py::arg("path"), py::kw_only(), py::arg("pids") = py::tuple(), py::arg("areas") = true,
      py::arg("jobs") = 1, doc);
}

void define_opening(py::module_& module) {
  define_reader(
      module, "open",
      [](const std::filesystem::path& path, const OpenOptions& options) {
        return std::make_shared<SnapshotTables>(Snapshot::open(path, options));
      },
      "open(path, *, pids=(), areas=True, jobs=1)\n--\n\n"
      "Reads a snapshot, text or compact, compressed or not. If the file has several, it reads the "
      "first.\n\n"
      "pids: an iterable of process ids; only these processes are read. Empty: all.\n"
      "areas: False leaves Snapshot.areas empty, which saves memory.\n"
      "jobs: threads that read a long text.\n\n"
      "Raises FileError or InputError, which are an Error. Ctrl-C takes effect when it "
      "returns.");
  define_reader(
      module, "series",
      [](const std::filesystem::path& path, const OpenOptions& options) {
        return std::make_unique<Series>(path, options);
      },
      "series(path, *, pids=(), areas=True, jobs=1)\n--\n\n"
      "Iterates over all snapshots of a file. The arguments are the same as for open().");
  py::class_<Series>(module, "Series", py::module_local(), "Iterates over snapshots of a file.")
      .def("__iter__", [](py::object self) { return self; })
      .def("__next__", &Series::next, py::call_guard<py::gil_scoped_release>());
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
  physmem_python::define_difference(module);
  physmem_python::define_opening(module);
  physmem_python::define_flags(module);
  physmem_python::close_types(module);
}
