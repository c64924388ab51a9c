// SPDX-License-Identifier: MIT
// Limits what a program allocates, so that bad input cannot exhaust the machine's memory.
//
// The kernel enforces the limit (RLIMIT_DATA, which covers private mappings since Linux 4.7), so
// allocation does not become slower. It counts writable address space, touched or not, but no
// read-only file mappings. Beyond the limit, operator new throws std::bad_alloc. The reader of a
// file turns that into memory_refusal(). If the exception would end the process (in a thread or
// destructor), a terminate handler prints the refusal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace physmem {

/// Bytes. Even a program without input needs some memory.
inline constexpr std::uint64_t kMinMemory = std::uint64_t{16} << 20;
inline constexpr const char* kMemorySizes = "a size of at least 16M, such as 512M or 2G";

/// Parses a size such as "512M" to bytes: a whole number, then K, M, G or T (powers of 1024, also
/// "MiB" or "MB"), or no unit for bytes. Nothing if it is not a size.
std::optional<std::uint64_t> byte_size_of(std::string_view text);

/// The same; nothing if it is below kMinMemory.
std::optional<std::uint64_t> memory_size_of(std::string_view text);

/// MemTotal of /proc/meminfo, bytes.
std::optional<std::uint64_t> ram_of(std::string_view meminfo);

/// The folder below /sys/fs/cgroup with the memory limit of this cgroup. `cgroup` is the
/// text of /proc/self/cgroup, version 1 or 2.
std::string memory_group_of(std::string_view cgroup);

/// Half of the RAM, or half of the lowest limit of this process's cgroups if that is less,
/// in bytes. `root` contains /proc and /sys. Nothing if neither is known.
std::optional<std::uint64_t> memory_share(const std::string& root = "");

/// Limits the process to `bytes` (default: memory_share()) plus the stacks of `threads` threads. A
/// lower existing limit is kept. The terminate handler prints `program`. Call it once, from the
/// main thread.
void limit_memory(const char* program, std::optional<std::uint64_t> bytes, std::size_t threads = 0);

/// Bytes; 2^64-1 if there is no limit.
std::uint64_t memory_limit();

/// Returns "snap.txt: --pages needs more than 64 MiB of memory (--max-memory): ADVICE". `subject`:
/// what needed the memory. Call it after that memory was released.
std::string memory_refusal(const std::string& subject, const std::string& advice);

}  // namespace physmem
