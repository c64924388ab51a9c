// SPDX-License-Identifier: MIT
// Any bytes as the kernel's types (BTF) are refused, or give members that lie within the limits of
// a struct; a layout of the kernel is found or refused with a reason.
#include <algorithm>
#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "collector-proc/kernel/kernel_types.h"
#include "tests/fuzz/check.h"

extern "C" {
#include "kernel-image/layout.h"
}

namespace {

using physmem::collect::KernelTypes;

const KernelTypes& types(void* self) {
  return *static_cast<const KernelTypes*>(self);
}

bool member(void* self, const char* type, const char* name, pm_field* field) {
  const auto found = types(self).member(type, name);
  if (!found) return false;
  PHYSMEM_CHECK(found->offset >= 0 && found->size >= 0 && found->size <= INT_MAX / 2);
  *field = {found->offset, found->size};
  return true;
}

std::size_t size_of(void* self, const char* type) {
  return types(self).size_of(type);
}

bool enumerator(void* self, const char* name, __u64* value) {
  const auto found = types(self).enumerator(name);
  if (found) *value = *found;
  return found.has_value();
}

/// All symbols exist, and all memory is 0.
bool symbol(void* /*self*/, const char* /*name*/, __u64* address) {
  *address = 4096;
  return true;
}

bool read(void* /*self*/, pm_space /*space*/, __u64 /*at*/, void* to, std::size_t size) {
  std::fill_n(static_cast<char*>(to), size, '\0');
  return true;
}

std::size_t length_of(void* /*self*/, const char* /*symbol*/) {
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto types = KernelTypes::parse({data, data + size});
  if (!types) return 0;
  pm_dump dump{};
  dump.self = &*types;
  dump.page_size = 4096;
  dump.read = read;
  dump.member = member;
  dump.size_of = size_of;
  dump.length_of = length_of;
  dump.enumerator = enumerator;
  dump.symbol = symbol;
  pm_layout layout;
  char why[256] = "";
  const bool is_found = pm_layout_find(&layout, &dump, why, sizeof why);
  PHYSMEM_CHECK(is_found == (why[0] == '\0'));
  return 0;
}
