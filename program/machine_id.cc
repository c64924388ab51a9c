// SPDX-License-Identifier: MIT
#include "program/machine_id.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>

#include "program/sha256.h"
#include "program/unique_fd.h"

namespace physmem {
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

/// The beginning of a short file; empty: it cannot be read.
std::string beginning_of(const char* path) {
  const UniqueFd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::array<char, 64> text{};
  const ssize_t length = file ? ::read(file.get(), text.data(), text.size()) : 0;
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

}  // namespace

std::string machine_id_of(std::string_view text) {
  const std::optional<std::string> id = bytes_of(text.substr(0, text.find('\n')));
  if (!id || *id == std::string(kIdBytes, '\0')) return {};
  Sha256 digest = hmac_sha256(*id, *bytes_of(kApplication));
  // A version 4 UUID (RFC 4122), as in systemd.
  digest[6] = static_cast<std::uint8_t>((digest[6] & 0x0F) | 0x40);
  digest[8] = static_cast<std::uint8_t>((digest[8] & 0x3F) | 0x80);
  return hex_of(std::span(digest).first(kIdBytes));
}

std::string this_machine_id() {
  return machine_id_of(beginning_of("/etc/machine-id"));
}

bool is_this_machine(const MachineNames& names) {
  if (!names.machine_id.empty()) return names.machine_id == this_machine_id();
  if (!names.boot_id.empty())
    return beginning_of("/proc/sys/kernel/random/boot_id") == std::string(names.boot_id) + "\n";
  utsname machine{};
  return !names.host.empty() && ::uname(&machine) == 0 && names.host == machine.nodename;
}

}  // namespace physmem
