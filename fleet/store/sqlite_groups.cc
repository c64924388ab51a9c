// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_groups.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fleet/store/growth_columns.h"
#include "fleet/store/unit_sums.h"

namespace physmem::fleet {
namespace {

class UnitGroups : public FactGroups {
 public:
  void add(const SqliteArguments& fact) override { units_.add(fact); }
  void add_sum(const SqliteArguments& sum) override { units_.add_sum(sum); }

  Status take_rows(const std::string& machine, const TextOf& text_of,
                   const Store::TakeRow& take) override {
    row_[1] = machine;
    for (const UnitSums::Sums& sums : units_.of_machine()) {
      if (sums.unit == texts_.size()) {
        const auto text = text_of(sums.id);
        if (!text) return text.error();
        texts_.push_back(**text);
      }
      row_[0] = texts_[sums.unit];
      row_[2] = sums.snapshots;
      row_[3] = sums.sized;
      row_[4] = sums.bytes;
      row_[5] = sums.sized != 0 ? Value(sums.sizes.min) : Value();
      row_[6] = sums.sized != 0 ? Value(sums.sizes.max) : Value();
      row_[7] = sums.times.min;
      row_[8] = sums.times.max;
      row_[9] = sums.alerts;
      if (Status status = take(row_); !status) return status;
    }
    units_.end_machine();
    return units_.status();
  }

 private:
  UnitSums units_;
  std::vector<std::string> texts_;  ///< of units in rows, by number
  Row row_ = Row(10);               ///< kept, so that its texts keep their room
};

/// Facts: unit, size. Sums: unit, snapshots, sized, bytes.
class ChangeGroups : public FactGroups {
 public:
  void begin_time(std::size_t number) override { time_ = number; }

  void add(const SqliteArguments& fact) override {
    Sums& sums = sums_of(fact.number(0));
    ++sums.snapshots;
    if (fact.is_null(1)) return;
    ++sums.sized;
    checked_.add(sums.bytes, fact.number(1));
  }

  void add_sum(const SqliteArguments& sum) override {
    Sums& sums = sums_of(sum.number(0));
    sums.snapshots += sum.number(1);
    sums.sized += sum.number(2);
    checked_.add(sums.bytes, sum.number(3));
  }

  Status take_rows(const std::string&, const TextOf&, const Store::TakeRow&) override {
    for (Unit* const unit : of_machine_)
      for (std::size_t time = 0; time < unit->sums.size(); ++time)
        unit->totals[time].add(std::exchange(unit->sums[time], {}), checked_);
    of_machine_.clear();
    ++machine_;
    return checked_.status();
  }

  Status take_last_rows(const TextOf& text_of, const Store::TakeRow& take) override {
    for (const auto& [id, unit] : units_) {
      const auto text = text_of(id);
      if (!text) return text.error();
      Row row{**text};
      for (const Totals& totals : unit.totals)
        row.insert(row.end(), {totals.machines, totals.snapshots, totals.means, totals.parts});
      if (Status status = take(row); !status) return status;
    }
    return {};
  }

 private:
  struct Sums {
    std::uint64_t snapshots = 0, sized = 0, bytes = 0;
  };
  /// changes.sql states them.
  struct Totals {
    std::uint64_t machines = 0, snapshots = 0, means = 0, parts = 0;

    void add(const Sums& sums, CheckedSums& checked) {
      snapshots += sums.snapshots;
      if (sums.sized == 0) return;
      ++machines;
      parts += (sums.bytes % sums.sized << 20) / sums.sized;
      checked.add(means, sums.bytes / sums.sized);
    }
  };
  struct Unit {
    std::uint64_t machine = 0;   ///< the last one that has the unit
    std::array<Sums, 2> sums{};  ///< of it, at both times
    std::array<Totals, 2> totals{};
  };

  Sums& sums_of(std::uint64_t id) {
    Unit& unit = units_[id];
    if (unit.machine != machine_) of_machine_.push_back(&unit);
    unit.machine = machine_;
    return unit.sums[time_];
  }

  CheckedSums checked_;
  std::unordered_map<std::uint64_t, Unit> units_;
  std::vector<Unit*> of_machine_;  ///< in units_
  std::uint64_t machine_ = 1;      ///< number of the present one
  std::size_t time_ = 0;
};

/// Facts: name, cgroup, time, t, bytes.
class GrowthGroups : public FactGroups {
 public:
  void add(const SqliteArguments& fact) override {
    Growth& series = growths_[{fact.number(0), fact.number(1)}];
    const std::uint64_t t = fact.number(3), x = fact.number(4), k = x >> 10;
    ++series.n;
    series.times.add(fact.number(2));
    series.sizes.add(x);
    series.t += t;
    series.tt.add(t, t, growth::kTtShift);
    series.x += x;
    series.tx.add(t, x, growth::kTxShift);
    series.k += k;
    constexpr std::uint64_t kPart = (std::uint64_t{1} << growth::kKkShift) - 1;
    series.kk_high += k * (k >> 2 * growth::kKkShift);
    series.kk_middle += k * (k >> growth::kKkShift & kPart);
    series.kk_low += k * (k & kPart);
  }

  Status take_rows(const std::string& machine, const TextOf& text_of,
                   const Store::TakeRow& take) override {
    for (const auto& [ids, series] : std::exchange(growths_, {})) {
      if (series.n < 3) continue;
      const auto found = text_of(ids.first);
      if (!found) return found.error();
      const std::string name = **found;  // until the next text is found
      const auto cgroup = text_of(ids.second);
      if (!cgroup) return cgroup.error();
      Row row(growth::kColumns);
      row[growth::kMachine] = machine;
      row[growth::kName] = name;
      row[growth::kCgroup] = **cgroup;
      series.write(row);
      if (Status status = take(row); !status) return status;
    }
    return {};
  }

 private:
  /// A sum of products, in two parts so that it is exact.
  struct ProductSum {
    std::uint64_t high = 0, low = 0;

    void add(std::uint64_t a, std::uint64_t b, unsigned shift) {
      high += a * (b >> shift);
      low += a * (b & ((std::uint64_t{1} << shift) - 1));
    }
  };
  /// leaks.sql of ClickHouse states the sums.
  struct Growth {
    std::uint64_t n = 0;
    Range times, sizes;
    std::uint64_t t = 0, x = 0, k = 0;
    ProductSum tt, tx;
    std::uint64_t kk_high = 0, kk_middle = 0, kk_low = 0;

    void write(Row& row) const {
      row[growth::kCount] = n;
      row[growth::kFirst] = times.min;
      row[growth::kLast] = times.max;
      row[growth::kMinBytes] = sizes.min;
      row[growth::kMaxBytes] = sizes.max;
      row[growth::kT] = t;
      row[growth::kTtHigh] = tt.high;
      row[growth::kTtLow] = tt.low;
      row[growth::kX] = x;
      row[growth::kTxHigh] = tx.high;
      row[growth::kTxLow] = tx.low;
      row[growth::kK] = k;
      row[growth::kKkHigh] = kk_high;
      row[growth::kKkMiddle] = kk_middle;
      row[growth::kKkLow] = kk_low;
    }
  };
  using Ids = std::pair<std::uint64_t, std::uint64_t>;
  struct Hash {
    std::size_t operator()(const Ids& ids) const { return (ids.first << 20) ^ ids.second; }
  };
  std::unordered_map<Ids, Growth, Hash> growths_;
};

}  // namespace

std::unique_ptr<FactGroups> FactGroups::of(Question question) {
  if (question == Question::kUnits) return std::make_unique<UnitGroups>();
  if (question == Question::kChanges) return std::make_unique<ChangeGroups>();
  if (question == Question::kLeaks) return std::make_unique<GrowthGroups>();
  return nullptr;
}

}  // namespace physmem::fleet
