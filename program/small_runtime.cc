// SPDX-License-Identifier: MIT
// What the small build has of the C++ runtime instead of libstdc++: memory, functions that end the
// program where libstdc++ would throw, and sizes of hash tables.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <unordered_map>
#include <utility>

#include "program/failure.h"

using physmem::fail;

void* operator new(std::size_t size) {
  void* const memory = std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) fail("std::bad_alloc");
  return memory;
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return std::malloc(size != 0 ? size : 1);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

namespace std {

const nothrow_t nothrow{};

void __throw_bad_alloc() {
  fail("std::bad_alloc");
}
void __throw_bad_array_new_length() {
  fail("std::bad_array_new_length");
}
void __throw_bad_function_call() {
  fail("bad_function_call");
}
void __throw_length_error(const char* what) {
  fail(what);
}
void __throw_logic_error(const char* what) {
  fail(what);
}
void __throw_out_of_range_fmt(const char* format, ...) {
  fail(format);  // the name of the function is in it
}
void __throw_system_error(int error_number) {
  fail(std::strerror(error_number));
}

chrono::steady_clock::time_point chrono::steady_clock::now() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return time_point(seconds(now.tv_sec) + nanoseconds(now.tv_nsec));
}

// libstdc++ has a table of primes of 2.4 kB. Here a hash table has 2^k - 1 buckets, and at most as
// many elements: nothing sets another load factor.
size_t __detail::_Prime_rehash_policy::_M_next_bkt(size_t min) const {
  if (min == 0) return 1;  // no table is allocated yet
  _M_next_resize = bit_ceil(min + 1) - 1;
  return _M_next_resize;
}

pair<bool, size_t> __detail::_Prime_rehash_policy::_M_need_rehash(size_t /*buckets*/,
                                                                  size_t elements,
                                                                  size_t added) const {
  if (elements + added <= _M_next_resize) return {false, 0};
  return {true, _M_next_bkt(max<size_t>(elements + added, 7))};
}

}  // namespace std

extern "C" void __cxa_pure_virtual() {
  fail("pure virtual method called");
}
