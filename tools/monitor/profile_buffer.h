// SPDX-License-Identifier: MIT
// The ring of samples that the profiler module shares as a device, or a file with the same
// contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "program/result.h"
#include "program/unique_fd.h"
#include "tools/monitor/profile.h"

namespace physmem::monitor {

/// Samples in the order of the ring.
struct Reading {
  std::vector<Sample> samples;
  std::vector<std::size_t> slots;  ///< position of each sample, in samples
  /// Samples that contain an empty long: partly written, or partly consumed by another reader.
  std::uint64_t torn = 0;
};

/// Size in bytes of the ring, which is the part of the buffer with the samples.
std::size_t ring_size();

/// Reads a ring that the module writes concurrently. A sample is valid if its first long is the
/// same before and after reading the others. `ring` has ring_size() bytes.
Reading read_ring(long* ring);
/// Clears all four longs of every sample in `reading`, as the assignment's clients do. Samples that
/// were overwritten since are kept.
void empty_ring(long* ring, const Reading& reading);

enum class Access { kRead, kConsume };

/// The mapped buffer.
class ProfileBuffer {
 public:
  /// A character device or a regular file.
  static Result<ProfileBuffer> open(const std::string& name, Access access);
  ProfileBuffer(ProfileBuffer&& other) noexcept;
  ProfileBuffer& operator=(ProfileBuffer&& other) = delete;
  ~ProfileBuffer();

  /// A file that was truncated since has no samples.
  Reading read() const { return is_whole() ? read_ring(ring_) : Reading{}; }
  /// Only with Access::kConsume.
  void empty(const Reading& reading) { empty_ring(ring_, reading); }

 private:
  ProfileBuffer(UniqueFd file, long* ring, std::size_t size)
      : file_(std::move(file)), ring_(ring), size_(size) {}
  bool is_whole() const;

  UniqueFd file_;
  long* ring_;
  std::size_t size_;  // mapped bytes
};

}  // namespace physmem::monitor
