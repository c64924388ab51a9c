// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace physmem::compact {

/// Continues a CRC-32 as in gzip and zlib (reflected, polynomial 04C11DB7) from `before` with
/// `bytes`. It is implemented here because the collector is built without libraries.
std::uint32_t crc32(std::uint32_t before, std::string_view bytes);

/// 32 bits, little endian.
void put_word(char* at, std::uint32_t value);
std::uint32_t word_at(const char* at);

/// The checksum in the head of a block. It covers the checksum of the previous block (0 for the
/// first), the two lengths, and the payload. So missing or reordered blocks and changed lengths are
/// detected.
std::uint32_t block_checksum(std::uint32_t before, std::uint32_t text_bytes,
                             std::string_view payload);

}  // namespace physmem::compact
