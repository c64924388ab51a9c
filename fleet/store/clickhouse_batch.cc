// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_batch.h"

namespace physmem::fleet {
namespace {

/// Rows are sent in parts of about this size.
constexpr std::size_t kSentBytes = std::size_t{64} << 10;
/// Of an entry of a container, besides its text.
constexpr std::size_t kNode = 96;

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

std::uint64_t take_varint(std::string_view& in) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(in[i++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  in.remove_prefix(i);
  return value;
}

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
    pack(report.facts[i], packed);
    bytes_ += packed.bytes() - before;
    rows_ += report.facts[i].size();
  }
  day.snapshots.push_back(snapshots_.size());
  snapshots_.push_back({key_of(line), line.key, snapshot_line(line)});
  machines_.insert(line.machine);
  bytes_ += sizeof(Snapshot) + line.key.size() + snapshots_.back().line.size() +
            line.machine.size() + 2 * kNode;
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
    texts_.push_back(&entry->first);
    bytes_ += text.size() + kNode;
  }
  return entry->second;
}

/// How much the number of the snapshot is above that of the row before (in a new piece: above 0),
/// numbers of texts, and numbers plus 1; 0 is unknown.
void ClickhouseBatch::pack(const std::vector<Fact>& facts, PackedRows& out) {
  const std::size_t snapshot = snapshots_.size();
  for (const Fact& fact : facts) {
    std::string& row = out.next_row();
    append_varint(row, snapshot - (row.empty() ? 0 : out.last_snapshot));
    out.last_snapshot = snapshot;
    for (const std::string& text : fact.texts) append_varint(row, number_of(text));
    for (const auto& number : fact.numbers) append_varint(row, number ? *number + 1 : 0);
  }
}

void ClickhouseBatch::unpack(FactTable table, std::string_view piece, std::string& rows) const {
  const FactColumns& columns = columns_of(table);
  for (std::size_t number = 0; !piece.empty();) {
    number += take_varint(piece);
    const std::size_t before = rows.size();
    append_key(rows, snapshots_[number].place);
    for (std::size_t i = 0; i < columns.texts.size(); ++i)
      append_text(rows, *texts_[take_varint(piece)]);
    for (std::size_t i = 0; i < columns.numbers.size(); ++i) {
      const std::uint64_t value = take_varint(piece);
      append_number(rows, value == 0 ? std::nullopt : std::optional(value - 1));
    }
    if (snapshots_[number].is_left_out) rows.resize(before);
  }
}

/// Unpacks some pieces at a time.
class ClickhouseBatch::FactRows : public RowSource {
 public:
  FactRows(const ClickhouseBatch& batch, FactTable table, const PackedRows& packed)
      : batch_(batch), table_(table), packed_(packed) {}

  std::string_view next() override {
    rows_.clear();
    for (; rows_.size() < kSentBytes && piece_ < packed_.pieces.size(); ++piece_)
      batch_.unpack(table_, packed_.pieces[piece_], rows_);
    return rows_;
  }
  void restart() override { piece_ = 0; }

 private:
  const ClickhouseBatch& batch_;
  const FactTable table_;
  const PackedRows& packed_;
  std::size_t piece_ = 0;
  std::string rows_;
};

Status ClickhouseBatch::for_each(const Send& send) const {
  const std::string machines = machine_rows(machines_);
  TextRows machine_lines(machines);
  if (const Status status = send(machine_table(), machine_lines); !status) return status;
  for (const auto& [number, day] : days_) {
    for (std::size_t i = 0; i < kFactTables; ++i) {
      const auto table = static_cast<FactTable>(i);
      FactRows rows(*this, table, day.facts[i]);
      if (const Status status = send(fact_table(table), rows); !status) return status;
    }
    std::string lines;
    for (const std::size_t i : day.snapshots)
      if (!snapshots_[i].is_left_out) lines += snapshots_[i].line;
    TextRows snapshot_lines(lines);
    if (const Status status = send(snapshot_table(), snapshot_lines); !status) return status;
  }
  return {};
}

}  // namespace physmem::fleet
