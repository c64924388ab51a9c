// SPDX-License-Identifier: MIT
#pragma once

namespace physmem {

/// Lets std::unique_ptr free what a C library made: std::unique_ptr<FILE, Deleter<fclose>>.
template <auto kFree>
struct Deleter {
  template <class T>
  void operator()(T* what) const {
    kFree(what);
  }
};

}  // namespace physmem
