// SPDX-License-Identifier: MIT
// A bound for what a program allocates: bad input must not take the memory of the machine.
//
// The kernel enforces it (RLIMIT_DATA, since Linux 4.7 for private mappings as well as the heap),
// so allocating costs nothing more. It counts addresses that may be written, touched or not, and no
// files that are mapped to be read. Beyond it operator new throws std::bad_alloc. The reader of a
// file turns that into memory_refusal(). Where the exception would end the process (a thread, a
// destructor), a terminate handler prints the refusal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// Bytes; a program without any input takes some.
inline constexpr std::uint64_t kMinMemory = std::uint64_t{16} << 20;
inline constexpr const char* kMemorySizes = "a size of at least 16M, such as 512M or 2G";

/// Bytes of "512M": a whole number, and K, M, G or T (powers of 1024, also "MiB" or "MB") or bytes.
/// Nothing: no size, or below kMinMemory.
std::optional<std::uint64_t> memory_size_of(std::string_view text);

/// MemTotal of /proc/meminfo, bytes.
std::optional<std::uint64_t> ram_of(std::string_view meminfo);

/// The folder below /sys/fs/cgroup that has the memory limit of this control group. `cgroup` is the
/// text of /proc/self/cgroup, version 1 or 2.
std::string memory_group_of(std::string_view cgroup);

/// Half of the RAM, or of the least limit of this process's control groups if that is less; bytes.
/// `root` has /proc and /sys. Nothing: neither is known.
std::optional<std::uint64_t> memory_share(const std::string& root = "");

/// From now on the process allocates at most `bytes` (nothing: memory_share()), and stacks for
/// `threads` in addition. A lower limit that it has stays. The terminate handler names `program`.
/// Call it once, from the main thread.
void limit_memory(const char* program, std::optional<std::uint64_t> bytes, std::size_t threads = 0);

/// Bytes; 2^64-1 without a limit.
std::uint64_t memory_limit();

/// "snap.txt: --pages needs more than 64 MiB of memory (--max-memory): ADVICE". `subject`: what
/// needed the memory. Call it after that memory is released.
std::string memory_refusal(const std::string& subject, const std::string& advice);

}  // namespace physmem
