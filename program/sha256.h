// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace physmem {

/// 32 bytes, the most significant first.
using Sha256 = std::array<std::uint8_t, 32>;

/// The digest of FIPS 180-4. The collector links no cryptographic library, so that it can be built
/// static for a small target.
Sha256 sha256(std::string_view bytes);

/// The keyed digest of RFC 2104 with SHA-256.
Sha256 hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace physmem
