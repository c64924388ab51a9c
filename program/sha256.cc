// SPDX-License-Identifier: MIT
#include "program/sha256.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

namespace physmem {
namespace {

constexpr std::size_t kBlock = 64;  // bytes
constexpr std::size_t kLengthBytes =
    8;  // length of the message in bits, at the end of the last block
constexpr std::size_t kRounds = 64;

using State = std::array<std::uint32_t, 8>;

/// FIPS 180-4, section 5.3.3.
constexpr State kInitial{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                         0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};

/// Section 4.2.2.
constexpr std::array<std::uint32_t, kRounds> kConstants{
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

std::uint32_t big_endian_at(const char* at) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(at[i]);
  return word;
}

std::array<std::uint32_t, kRounds> schedule_of(const char* block) {
  std::array<std::uint32_t, kRounds> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian_at(block + 4 * i);
  for (std::size_t i = 16; i < kRounds; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  return w;
}

/// Section 6.2.2.
void add_block(State& state, const char* block) {
  const auto w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < kRounds; ++i) {
    const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                             ((e & f) ^ (~e & g)) + kConstants[i] + w[i];
    const std::uint32_t t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State sums{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += sums[i];
}

/// The bytes after the last whole block, with the padding of section 5.1.1: one or two blocks.
std::string padded_rest(std::string_view bytes) {
  std::string rest(bytes.substr(bytes.size() / kBlock * kBlock));
  rest += '\x80';
  const std::size_t blocks = rest.size() + kLengthBytes > kBlock ? 2 : 1;
  rest.resize(blocks * kBlock - kLengthBytes);
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift & 0xFF);
  return rest;
}

template <typename Bytes>
std::string_view view_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
  State state = kInitial;
  for (std::size_t at = 0; at + kBlock <= bytes.size(); at += kBlock)
    add_block(state, bytes.data() + at);
  const std::string rest = padded_rest(bytes);
  for (std::size_t at = 0; at < rest.size(); at += kBlock) add_block(state, rest.data() + at);
  Sha256 digest{};
  for (std::size_t i = 0; i < digest.size(); ++i)
    digest[i] = static_cast<std::uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

Sha256 hmac_sha256(std::string_view key, std::string_view bytes) {
  std::string inner(kBlock, '\0');
  if (key.size() > kBlock) {
    const Sha256 digest = sha256(key);
    std::copy(digest.begin(), digest.end(), inner.begin());
  } else {
    std::copy(key.begin(), key.end(), inner.begin());
  }
  std::string outer = inner;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5C);
  const Sha256 digest = sha256(inner.append(bytes));
  return sha256(outer.append(view_of(digest)));
}

}  // namespace physmem
