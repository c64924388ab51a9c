// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_batch.h"

#include <array>
#include <span>
#include <utility>

#include "fleet/store/clickhouse_sql.h"
#include "fleet/store/varint.h"

namespace physmem::fleet {
namespace {

/// Rows of facts that are sent as one block: about 400 kB of units.
constexpr std::size_t kBlockRows = 4096;
/// What an entry of a container takes besides its text.
constexpr std::size_t kBytesOfText = 96;

}  // namespace

std::string& PackedRows::next_row() {
  if (pieces.empty() || pieces.back().size() > kPiece - kMaxRow)
    pieces.emplace_back().reserve(kPiece);
  return pieces.back();
}

void ClickhouseBatch::add(const Report& report) {
  const SnapshotLine& line = report.snapshot;
  Day& day = days_[line.second() / kDay];
  for (std::size_t i = 0; i < kFactTables; ++i) {
    PackedRows& packed = day.facts[i];
    const std::size_t before = packed.bytes();
    pack(static_cast<FactTable>(i), report.facts[i], packed);
    bytes_ += packed.bytes() - before;
    rows_ += report.facts[i].size();
  }
  day.snapshots.push_back(snapshots_.size());
  snapshots_.push_back({key_of(line), line.key, snapshot_line(line)});
  machines_.insert(line.machine);
  bytes_ += sizeof(Snapshot) + line.key.size() + snapshots_.back().line.size() +
            line.machine.size() + 2 * kBytesOfText;
}

std::vector<std::string> ClickhouseBatch::keys() const {
  std::vector<std::string> keys;
  for (const Snapshot& snapshot : snapshots_) keys.push_back(snapshot.key);
  return keys;
}

std::uint64_t ClickhouseBatch::leave_out(std::set<std::string>& known) {
  std::uint64_t left_out = 0;
  for (Snapshot& snapshot : snapshots_) {
    snapshot.is_left_out = !known.insert(snapshot.key).second;
    left_out += snapshot.is_left_out ? 1 : 0;
  }
  return left_out;
}

void ClickhouseBatch::leave_out_replaced(std::set<std::string>& sent) {
  for (auto snapshot = snapshots_.rbegin(); snapshot != snapshots_.rend(); ++snapshot) {
    if (snapshot->is_left_out) continue;
    snapshot->is_left_out = sends(snapshot->place) || !sent.insert(snapshot->key).second;
    if (!snapshot->is_left_out) sent_places_.insert(snapshot->place);
  }
}

std::vector<SnapshotKey> ClickhouseBatch::places() const {
  std::vector<SnapshotKey> places;
  for (const Snapshot& snapshot : snapshots_) places.push_back(snapshot.place);
  return places;
}

std::uint64_t ClickhouseBatch::number_of(const std::string& text) {
  const auto [entry, is_new] = numbers_.emplace(text, texts_.size());
  if (is_new) {
    texts_.push_back({&entry->first, sip_hash(text)});
    bytes_ += text.size() + sizeof(Text) + kBytesOfText;
  }
  return entry->second;
}

/// How much the number of the snapshot is above the previous row's (in a new piece: above 0),
/// numbers of texts, and numbers plus 1; 0 is unknown.
void ClickhouseBatch::pack(FactTable table, const std::vector<Fact>& facts, PackedRows& out) {
  const std::size_t snapshot = snapshots_.size();
  const bool has_unit = begins_with_unit(table);
  for (const Fact& fact : facts) {
    std::string& row = out.next_row();
    append_varint(row, snapshot - (row.empty() ? 0 : out.last_snapshot));
    out.last_snapshot = snapshot;
    bool is_unit = has_unit;  // the first text
    for (const std::string& text : fact.texts) {
      const std::uint64_t number = number_of(text);
      append_varint(row, number);
      if (std::exchange(is_unit, false)) texts_[number].is_unit = true;
    }
    for (const auto& number : fact.numbers) append_varint(row, number ? *number + 1 : 0);
  }
}

void ClickhouseBatch::unpack(FactTable table, std::string_view piece, FactBlock& block) const {
  const FactColumns& columns = columns_of(table);
  std::array<HashedText, kMaxFactTexts> texts{};
  std::array<std::optional<std::uint64_t>, kMaxFactNumbers> numbers;
  for (std::size_t number = 0; !piece.empty();) {
    number += take_varint(piece);
    for (HashedText& text : std::span(texts).first(columns.texts.size())) {
      const Text& known = texts_[take_varint(piece)];
      text = {*known.text, known.hash};
    }
    for (auto& value : std::span(numbers).first(columns.numbers.size())) {
      const std::uint64_t packed = take_varint(piece);
      value = packed == 0 ? std::nullopt : std::optional(packed - 1);
    }
    if (!snapshots_[number].is_left_out)
      block.add(snapshots_[number].place, std::span(texts).first(columns.texts.size()),
                std::span(numbers).first(columns.numbers.size()));
  }
}

/// Unpacks some pieces at a time, into a block.
class ClickhouseBatch::FactRows : public RowSource {
 public:
  FactRows(const ClickhouseBatch& batch, FactTable table, const PackedRows& packed)
      : batch_(batch), table_(table), packed_(packed), block_(table) {}

  std::string_view next() override {
    if (part_ == parts_.size()) unpack_block();
    return parts_.empty() ? std::string_view() : parts_[part_++];
  }
  void restart() override {
    piece_ = part_ = 0;
    parts_.clear();
  }

 private:
  void unpack_block() {
    block_.clear();
    for (; block_.rows() < kBlockRows && piece_ < packed_.pieces.size(); ++piece_)
      batch_.unpack(table_, packed_.pieces[piece_], block_);
    part_ = 0;
    parts_ = block_.rows() == 0 ? Parts() : block_.parts();
  }

  using Parts = std::vector<std::string_view>;

  const ClickhouseBatch& batch_;
  const FactTable table_;
  const PackedRows& packed_;
  std::size_t piece_ = 0;
  FactBlock block_;
  Parts parts_;           ///< of block_
  std::size_t part_ = 0;  ///< the next one
};

Status ClickhouseBatch::for_each(const Send& send) const {
  std::string machines, units;
  for (const std::string& machine : machines_) append_name(machines, machine);
  for (const Text& text : texts_)
    if (text.is_unit) append_name(units, *text.text);
  TextRows machine_lines(machines), unit_lines(units);
  if (Status status = send(machine_table(), machine_lines); !status) return status;
  if (Status status = send(unit_table(), unit_lines); !status) return status;
  for (const auto& [number, day] : days_) {
    for (std::size_t i = 0; i < kFactTables; ++i) {
      const auto table = static_cast<FactTable>(i);
      FactRows rows(*this, table, day.facts[i]);
      if (Status status = send(fact_table(table), rows); !status) return status;
    }
    std::string lines;
    for (const std::size_t i : day.snapshots)
      if (!snapshots_[i].is_left_out) lines += snapshots_[i].line;
    TextRows snapshot_lines(lines);
    if (Status status = send(snapshot_table(), snapshot_lines); !status) return status;
  }
  return {};
}

}  // namespace physmem::fleet
