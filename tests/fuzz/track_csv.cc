// SPDX-License-Identifier: MIT
// Any text as a file of --track gives entries that are the same after they are written and read
// again, or an error that names the line.
#include <cstdint>
#include <sstream>
#include <string>

#include "analyzer/cli/track.h"
#include "tests/fuzz/check.h"

namespace {

using namespace physmem;

bool is_same(const TrackEntry& a, const TrackEntry& b) {
  return a.label == b.label && a.time == b.time && a.kernel == b.kernel && a.pages == b.pages &&
         a.page_size == b.page_size;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto entries = parse_track({reinterpret_cast<const char*>(data), size}, "f");
  if (!entries) {
    const std::string& what = entries.error().text;
    PHYSMEM_CHECK(what.starts_with("f:") && what[2] >= '1' && what[2] <= '9' && what.size() < 2000);
    return 0;
  }
  std::ostringstream out;
  print_track(out, *entries);
  const auto again = parse_track(out.str(), "f");
  PHYSMEM_CHECK(again && again->size() == entries->size());
  for (std::size_t i = 0; i < entries->size(); ++i)
    PHYSMEM_CHECK(is_same((*again)[i], (*entries)[i]));
  return 0;
}
