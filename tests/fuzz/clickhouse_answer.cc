// SPDX-License-Identifier: MIT
// Any bytes as an answer of ClickHouse give rows or an error, the same in pieces of any size. The
// first byte is the size of a piece.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/store/clickhouse_answer.h"
#include "tests/fuzz/check.h"

namespace {

using namespace physmem;
using namespace physmem::fleet;

struct Reading {
  std::vector<Row> rows;
  std::string error;
};

Reading read(std::string_view text, std::size_t piece) {
  Reading reading;
  const Store::TakeRow take = [&](const Row& row) {
    for (std::size_t i = 0; i <= row.size(); ++i) {
      const std::string other = text_at(row, i);
      PHYSMEM_CHECK(other.empty() || number_at(row, i) == 0);
    }
    reading.rows.push_back(row);
    return Status();
  };
  ClickhouseAnswer answer(take);
  for (std::size_t at = 0; at < text.size(); at += piece)
    if (!answer.add(text.substr(at, piece))) break;
  if (const Status status = answer.finish(); !status) reading.error = status.error().text;
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view exception = exception_in(text);
  PHYSMEM_CHECK(exception.empty() || text.find(exception) != text.npos);
  (void)exception_code(exception);
  const Reading whole = read(text, std::max<std::size_t>(text.size(), 1));
  const Reading pieces = read(text, std::max<std::size_t>(data[0], 1));
  PHYSMEM_CHECK(whole.error.empty() == pieces.error.empty());
  if (whole.error.empty()) PHYSMEM_CHECK(whole.rows == pieces.rows);
  return 0;
}
