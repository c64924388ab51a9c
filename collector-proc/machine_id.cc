// SPDX-License-Identifier: MIT
#include "collector-proc/machine_id.h"

#include <fcntl.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "collector-proc/proc_tree.h"
#include "program/sha256.h"

namespace physmem::collect {
namespace {

constexpr std::size_t kIdBytes = 16;

/// Id of this application: a random number that must never change.
constexpr std::string_view kApplication = "c05eae8a068b4529a2d23c903aabcef8";

std::optional<std::string> bytes_of(std::string_view digits) {
  std::string bytes;
  if (digits.size() != 2 * kIdBytes) return {};
  for (std::size_t at = 0; at < digits.size(); at += 2) {
    std::uint8_t byte = 0;
    const char* const end = digits.data() + at + 2;
    const auto [stop, error] = std::from_chars(digits.data() + at, end, byte, 16);
    if (error != std::errc{} || stop != end) return {};
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

void append_hex(std::string& text, std::uint8_t byte) {
  constexpr char kDigits[] = "0123456789abcdef";
  text += kDigits[byte >> 4];
  text += kDigits[byte & 15];
}

}  // namespace

std::string machine_id_of(std::string_view text) {
  const std::optional<std::string> id = bytes_of(text.substr(0, text.find('\n')));
  if (!id || *id == std::string(kIdBytes, '\0')) return {};
  Sha256 digest = hmac_sha256(*id, *bytes_of(kApplication));
  // A version 4 UUID (RFC 4122), as in systemd.
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0F) | 0x40);
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3F) | 0x80);
  std::string hashed;
  for (std::size_t i = 0; i < kIdBytes; ++i) append_hex(hashed, digest[i]);
  return hashed;
}

std::string this_machine_id() {
  ReadBuffer text;
  if (read_at(AT_FDCWD, "/etc/machine-id", text) != Access::kRead) return {};
  return machine_id_of(text.text());
}

}  // namespace physmem::collect
