// SPDX-License-Identifier: MIT
// The ring of samples that the profiler module shares with us, as a device or as a file of the same
// content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/profile.h"
#include "program/result.h"

namespace physmem::profile {

/// Samples as they were found.
struct Reading {
  std::vector<Sample> samples;
  std::vector<std::size_t> slots;  ///< where each sample was, counted in samples
  std::uint64_t torn =
      0;  ///< samples with an empty long in them: half written, or half consumed by others
};

/// Bytes of the ring, the part of the buffer that holds samples.
std::size_t ring_size();

/// Reads a ring that somebody writes meanwhile: a sample counts when its first long is the same
/// before and after the others were read. `ring`: ring_size() bytes.
Reading read_ring(long* ring);
/// Makes every sample that was read empty, all four longs, as clients of the assignment do; not
/// what was written over it since.
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

  Reading read() const { return read_ring(ring_); }
  /// Only with Access::kConsume.
  void empty(const Reading& reading) { empty_ring(ring_, reading); }

 private:
  ProfileBuffer(long* ring, std::size_t size) : ring_(ring), size_(size) {}

  long* ring_;
  std::size_t size_;  // bytes that are mapped
};

}  // namespace physmem::profile
