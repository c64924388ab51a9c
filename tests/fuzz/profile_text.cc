// SPDX-License-Identifier: MIT
// Any text as a profile gives samples that are the same after they are written and read again, or
// an error that names the line.
#include <cstdint>
#include <sstream>
#include <string>

#include "tests/fuzz/check.h"
#include "tests/fuzz/profile_check.h"

namespace {

using namespace physmem::monitor;

void check_error(const std::string& text) {
  PHYSMEM_CHECK(text.starts_with("f:") && text[2] >= '1' && text[2] <= '9' && text.size() < 500);
  for (const char c : text) PHYSMEM_CHECK(static_cast<unsigned char>(c) >= ' ');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto reading = parse_profile_text({reinterpret_cast<const char*>(data), size}, "f");
  if (!reading) {
    check_error(reading.error().text);
    return 0;
  }
  std::ostringstream out;
  write_text(out, reading->samples);
  const auto same = parse_profile_text(out.str(), "f");
  PHYSMEM_CHECK(same && same->has_end && same->samples == reading->samples);
  check_profile(reading->samples, {}, CpuUnit::kJiffies);
  check_profile(reading->samples, 250, CpuUnit::kNanoseconds);
  return 0;
}
