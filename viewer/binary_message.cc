// SPDX-License-Identifier: MIT
// The binary messages of protocol.md: little endian, written byte by byte, independent of the host.
#include <algorithm>
#include <limits>

#include "viewer/message.h"

namespace physmem::view {
namespace {

void put(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// Fills in the field `n`, which is known only at the end.
void set_number(std::string& bytes, std::size_t at, std::uint32_t n) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(n >> (8 * i) & 0xFF);
}

}  // namespace

std::optional<Message> cells_message(int kind, std::uint8_t area, std::uint64_t number,
                                     const ActivityBlock* block, std::uint64_t since,
                                     bool is_whole) {
  if (!is_whole && (block == nullptr || block->event <= since)) return {};
  Message message{true, {}};
  put(message.bytes, static_cast<std::uint64_t>(kind), 1);
  put(message.bytes, area, 1);
  put(message.bytes, is_whole ? 1 : 0, 1);
  put(message.bytes, 0, 1);
  put(message.bytes, number, 4);
  const std::size_t at = message.bytes.size();
  put(message.bytes, 0, 4);
  std::uint32_t n = 0;
  for (std::size_t i = 0; block != nullptr && i < ActivityBlock::kPages; ++i) {
    const PageCell& cell = block->cells[i];
    if (cell.kind == 0 || (!is_whole && cell.event <= since)) continue;
    put(message.bytes, i, 2);
    put(message.bytes, cell.kind, 1);
    put(message.bytes, cell.before, 1);
    put(message.bytes, cell.time_ms, 4);
    put(message.bytes, cell.before_ms, 4);
    ++n;
  }
  set_number(message.bytes, at, n);
  if (n == 0 && !is_whole) return {};
  return message;
}

std::optional<Message> overview_message(int kind, std::uint8_t area,
                                        const PageActivity::Blocks* blocks, std::uint32_t now_ms,
                                        std::uint64_t since, bool is_whole) {
  Message message{true, {}};
  put(message.bytes, static_cast<std::uint64_t>(kind), 1);
  put(message.bytes, area, 1);
  put(message.bytes, is_whole ? 1 : 0, 1);
  put(message.bytes, 0, 1);
  const std::size_t at = message.bytes.size();
  put(message.bytes, 0, 4);
  std::uint32_t n = 0;
  const auto add = [&](std::uint64_t number, const ActivityBlock& block) {
    if ((!is_whole && block.event <= since) || number > std::numeric_limits<std::uint32_t>::max())
      return;
    put(message.bytes, number, 4);
    put(message.bytes, block.ins, 4);
    put(message.bytes, block.outs, 4);
    const RecentMoves::Sums latest = block.recent.latest(now_ms);
    put(message.bytes, latest.ins, 4);
    put(message.bytes, latest.outs, 4);
    ++n;
  };
  if (blocks != nullptr) blocks->for_each(add);
  set_number(message.bytes, at, n);
  if (n == 0 && !is_whole) return {};
  return message;
}

}  // namespace physmem::view
