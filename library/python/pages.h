// SPDX-License-Identifier: MIT
// Pages of a snapshot in batches of numpy arrays.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>
#include <optional>
#include <utility>

#include "physmem/pages.h"

namespace physmem_python {

/// The result of Snapshot.pages(). Threads of Python may share it; each batch is passed to one of
/// them.
class PageIterator {
 public:
  explicit PageIterator(physmem::PageReader reader) : reader_(std::move(reader)) {}
  /// Waits for the thread of the reader, without the interpreter's lock. A consumer of an Arrow
  /// stream may call it from any thread.
  ~PageIterator() {
    if (PyGILState_Check() == 0) return;
    PyThreadState* const state = PyEval_SaveThread();
    reader_.reset();
    PyEval_RestoreThread(state);
  }
  PageIterator(const PageIterator&) = delete;
  PageIterator& operator=(const PageIterator&) = delete;

  /// Call it without the interpreter's lock, because it waits.
  physmem::PageReader::Batch next() {
    const std::lock_guard lock(mutex_);
    return reader_->next();
  }

 private:
  std::optional<physmem::PageReader> reader_;
  std::mutex mutex_;
};

/// Defines the classes of Snapshot.pages().
void define_pages(pybind11::module_& module);

}  // namespace physmem_python
