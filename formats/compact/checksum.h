// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace physmem::compact {

/// CRC-32 as in gzip and zlib (reflected, polynomial 04C11DB7) of what `before` is the checksum of,
/// and `bytes` behind it. The collector is built without any library, so it is written here.
std::uint32_t crc32(std::uint32_t before, std::string_view bytes);

/// 32 bits, the lowest byte first.
void put_word(char* at, std::uint32_t value);
std::uint32_t word_at(const char* at);

/// The checksum in the head of a block: of the one before it (0: it is the first), of the two
/// lengths, of the payload. So a block cannot be left out or change its place, and no length be
/// changed.
std::uint32_t block_checksum(std::uint32_t before, std::uint32_t text_bytes,
                             std::string_view payload);

}  // namespace physmem::compact
