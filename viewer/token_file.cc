// SPDX-License-Identifier: MIT
#include "viewer/token_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "program/printable.h"

namespace physmem::view {
namespace {

constexpr std::size_t kMinLength = 16, kMaxLength = 128;

bool is_token_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

}  // namespace

Result<std::string> token_of_file(const std::string& path) {
  std::ifstream file(path);
  std::string token(kMaxLength + 1, '\0');
  file.read(token.data(), static_cast<std::streamsize>(token.size()));
  if (!file && !file.eof())
    return Error{Error::Kind::kIo, fmt::format("--token-file: cannot read {}: {}",
                                               for_terminal(path), std::strerror(errno))};
  token.resize(static_cast<std::size_t>(file.gcount()));
  token.resize(std::min(token.size(), token.find('\n')));
  if (token.size() >= kMinLength && token.size() <= kMaxLength &&
      std::all_of(token.begin(), token.end(), is_token_character))
    return token;
  // The text may be a mistyped secret, so the message does not contain it.
  return Error{Error::Kind::kUsage,
               fmt::format("--token-file: {}: found another text, expected one line of {} to {} "
                           "letters, digits and -._~ (openssl rand -hex 16 prints one)",
                           for_terminal(path), kMinLength, kMaxLength)};
}

}  // namespace physmem::view
