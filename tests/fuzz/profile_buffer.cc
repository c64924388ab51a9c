// SPDX-License-Identifier: MIT
// The profiler's buffer has any longs. Whole and torn samples are found at their positions. After
// the samples are consumed, the buffer has only the torn ones.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "formats/emit/profile_ring.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/profile_check.h"
#include "tools/monitor/profile_buffer.h"

namespace {

using namespace physmem::monitor;

constexpr long kEmpty = PM_PROFILE_EMPTY;

/// An empty ring buffer that all inputs share. The input fills its beginning, which is emptied
/// again afterwards.
class Ring {
 public:
  Ring(const std::uint8_t* data, std::size_t size) : used_(std::min(size, ring_size())) {
    std::memcpy(longs().data(), data, used_);
  }
  ~Ring() { std::memset(longs().data(), 0xFF, used_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  static std::vector<long>& longs() {
    static std::vector<long> longs(PM_PROFILE_LONGS, kEmpty);
    return longs;
  }

 private:
  std::size_t used_;
};

void check_places(const Reading& reading) {
  PHYSMEM_CHECK(reading.samples.size() == reading.slots.size());
  PHYSMEM_CHECK(reading.samples.size() + reading.torn <= PM_PROFILE_SAMPLES);
  for (std::size_t i = 0; i < reading.slots.size(); ++i) {
    PHYSMEM_CHECK(i == 0 || reading.slots[i - 1] < reading.slots[i]);
    const long* slot = Ring::longs().data() + reading.slots[i] * PM_PROFILE_SAMPLE_LONGS;
    const Sample& sample = reading.samples[i];
    PHYSMEM_CHECK((sample == Sample{slot[0], slot[1], slot[2], slot[3]}));
    PHYSMEM_CHECK(std::find(slot, slot + PM_PROFILE_SAMPLE_LONGS, kEmpty) ==
                  slot + PM_PROFILE_SAMPLE_LONGS);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Ring ring(data, size);
  const Reading reading = read_ring(Ring::longs().data());
  check_places(reading);
  check_profile(reading.samples, {}, CpuUnit::kNanoseconds);
  check_profile(reading.samples, 100, CpuUnit::kJiffies);
  empty_ring(Ring::longs().data(), reading);
  const Reading left = read_ring(Ring::longs().data());
  PHYSMEM_CHECK(left.samples.empty() && left.torn == reading.torn);
  return 0;
}
