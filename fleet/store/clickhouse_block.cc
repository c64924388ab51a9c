// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_block.h"

#include <array>

#include "fleet/store/varint.h"

namespace physmem::fleet {
namespace {

template <class Number>
void append_little_endian(std::string& out, Number number) {
  std::array<char, sizeof number> bytes{};
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes[i] = static_cast<char>(std::uint64_t{number} >> (8 * i));
  out.append(bytes.data(), bytes.size());
}

void append_text(std::string& out, std::string_view text) {
  append_varint(out, text.size());
  out += text;
}

}  // namespace

FactBlock::FactBlock(FactTable table) : begins_with_unit_(begins_with_unit(table)) {
  for (const auto& [name, type] : fact_columns(table)) {
    Column& column = columns_.emplace_back();
    append_text(column.head, name);
    append_text(column.head, type);
  }
}

void FactBlock::add(const SnapshotKey& place, std::span<const HashedText> texts,
                    std::span<const std::optional<std::uint64_t>> numbers) {
  auto column = columns_.begin();
  append_little_endian(column++->values, place.machine_hash);
  append_little_endian(column++->values, place.second);
  append_little_endian(column++->values, place.millisecond);
  for (std::size_t i = 0; i < texts.size(); ++i, ++column) {
    if (i == 0 && begins_with_unit_)
      append_little_endian(column->values, texts[i].hash);
    else
      append_text(column->values, texts[i].text);
  }
  for (const auto& number : numbers) {
    column->nulls += number ? '\0' : '\1';
    append_little_endian(column++->values, number.value_or(0));
  }
  ++rows_;
}

void FactBlock::clear() {
  for (Column& column : columns_) {
    column.nulls.clear();
    column.values.clear();
  }
  rows_ = 0;
}

std::vector<std::string_view> FactBlock::parts() {
  head_.clear();
  append_varint(head_, columns_.size());
  append_varint(head_, rows_);
  std::vector<std::string_view> parts{head_};
  for (const Column& column : columns_)
    for (const std::string* part : {&column.head, &column.nulls, &column.values})
      if (!part->empty()) parts.emplace_back(*part);
  return parts;
}

}  // namespace physmem::fleet
