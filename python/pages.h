// SPDX-License-Identifier: MIT
// Pages of a snapshot in batches of numpy arrays.
#pragma once

#include <pybind11/pybind11.h>

#include <mutex>
#include <utility>

#include "physmem/pages.h"

namespace physmem_python {

/// What Snapshot.pages() returns. Threads of Python that share it take turns.
class PageIterator {
 public:
  explicit PageIterator(physmem::PageReader reader) : reader_(std::move(reader)) {}

  /// Call it without the interpreter's lock: it waits.
  physmem::PageReader::Batch next() {
    const std::lock_guard lock(mutex_);
    return reader_.next();
  }

 private:
  physmem::PageReader reader_;
  std::mutex mutex_;
};

/// Defines the classes of Snapshot.pages().
void define_pages(pybind11::module_& module);

}  // namespace physmem_python
