// SPDX-License-Identifier: MIT
#include "fleet/rows/rows_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "fleet/model/snapshot_fields.h"
#include "fleet/rows/name_text.h"
#include "program/option_value.h"
#include "program/printable.h"

namespace physmem::fleet {
namespace {

constexpr std::string_view kUnknown = "-";
constexpr std::string_view kSnapshot = "snapshot";
constexpr std::string_view kEnd = "end";

void add(std::string& line, const std::string& text) {
  line += '\t';
  line += text;
}
void add(std::string& line, std::uint64_t number) {
  line += '\t';
  line += std::to_string(number);
}
void add(std::string& line, const std::optional<std::uint64_t>& number) {
  if (number) return add(line, *number);
  line += '\t';
  line += kUnknown;
}

/// Bytes of the longest line, which describes a snapshot.
constexpr std::size_t kMaxLine = 16 * kMaxText;

/// A typical report has 10 to 60 kB, and one with names of 4 kB in all tables less than 3 MiB. What
/// machines send may be hostile.
constexpr std::size_t kMaxReport = std::size_t{4} << 20;

}  // namespace

std::string above_limit(const Report& report) {
  for (std::size_t i = 0; i < std::size(kSnapshotFields); ++i) {
    const SnapshotColumn& column = snapshot_columns()[i];
    const std::uint64_t number = std::visit(
        [&](auto member) -> std::uint64_t {
          const auto& value = report.snapshot.*member;
          if constexpr (std::is_same_v<decltype(value), const std::uint64_t&>)
            return value;
          else if constexpr (std::is_same_v<decltype(value), const std::string&>)
            return 0;
          else
            return value.value_or(0);
        },
        kSnapshotFields[i]);
    if (!column.is_text && number > column.limit)
      return fmt::format("found {} of {}, expected at most {}", column.name, number, column.limit);
  }
  for (std::size_t i = 0; i < kFactTables; ++i) {
    const FactColumns& table = fact_tables()[i];
    for (const Fact& fact : report.facts[i])
      for (std::size_t j = 0; j < table.numbers.size(); ++j)
        if (fact.numbers[j].value_or(0) > table.limits[j])
          return fmt::format("found {} of {} in {} of {}, expected at most {}", table.numbers[j],
                             *fact.numbers[j], table.name, in_quotes(fact.texts[0]),
                             table.limits[j]);
  }
  return {};
}

std::string text_of(const Report& report) {
  std::string text(kSnapshot);
  for (const SnapshotField& field : kSnapshotFields)
    std::visit([&](auto member) { add(text, report.snapshot.*member); }, field);
  text += '\n';
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < kFactTables; ++i) {
    for (const Fact& fact : report.facts[i]) {
      text += fact_tables()[i].name;
      for (const std::string& field : fact.texts) add(text, field);
      for (const auto& number : fact.numbers) add(text, number);
      text += '\n';
      ++rows;
    }
  }
  return text + fmt::format("{}\t{}\n", kEnd, rows);
}

Error RowsReader::wrong(const std::string& found, const std::string& expected) const {
  return {Error::Kind::kBadInput,
          fmt::format("{}:{}: found {}, expected {}", name_, number_, found, expected), number_, 0};
}

/// False at the end of the input. A line without its newline is cut short.
Result<bool> RowsReader::line() {
  constexpr std::size_t kPiece = 64 << 10;
  std::size_t newline = 0;
  line_ = {};
  while ((newline = buffer_.find('\n', at_)) == std::string::npos) {
    buffer_.erase(0, std::exchange(at_, 0));
    ++number_;
    if (buffer_.size() > kMaxLine) return wrong("a line of more than 256 KiB", "lines of a report");
    const std::size_t held = buffer_.size();
    buffer_.resize(held + kPiece);
    const auto n = source_.read(buffer_.data() + held, kPiece);
    buffer_.resize(held + (n ? *n : 0));
    if (!n) return n.error();
    if (*n == 0 && held != 0) return wrong("a line without its end", "a whole file");
    --number_;
    if (*n == 0) return false;
  }
  ++number_;
  report_bytes_ += newline - at_ + 1;
  line_ = std::string_view(buffer_).substr(at_, newline - at_);
  at_ = newline + 1;
  fields_.clear();
  for (std::string_view rest = line_;;) {
    const std::size_t tab = rest.find('\t');
    fields_.push_back(rest.substr(0, tab));
    if (tab == rest.npos) return true;
    rest.remove_prefix(tab + 1);
  }
}

Result<std::optional<Report>> RowsReader::next() {
  Result<bool> more = line();
  if (!more) return more.error();
  const std::string_view magic = kRowsMagic.substr(0, kRowsMagic.size() - 1);
  if (number_ == 1 && line_ != magic) return wrong(in_quotes(line_), "physmem-fleet-rows 1");
  // Files may be put together, so the first line may occur again.
  while (*more && line_ == magic) {
    more = line();
    if (!more) return more.error();
  }
  if (!*more) return std::optional<Report>();
  Report report;
  report_bytes_ = line_.size();
  for (std::size_t i = 0; i < kFactTables; ++i) report.facts[i].reserve(rows_[i]);
  if (Status status = snapshot(report); !status) return status.error();
  for (std::uint64_t rows = 0;; ++rows) {
    more = line();
    if (!more) return more.error();
    if (!*more) return wrong("the end of the file", "more rows, or end: it is cut short");
    if (fields_[0] == kEnd) {
      if (Status status = end(rows); !status) return status.error();
      if (Status status = check_keys(report); !status) return status.error();
      for (std::size_t i = 0; i < kFactTables; ++i) rows_[i] = report.facts[i].size();
      return std::optional(std::move(report));
    }
    if (Status status = row(report); !status) return status.error();
    if (report_bytes_ > kMaxReport) return wrong("a report of more than 4 MiB", "a smaller one");
  }
}

Status RowsReader::take_text(std::string_view field, std::string& to) const {
  if (field.size() > kMaxText)
    return wrong(fmt::format("a text of {} bytes", field.size()),
                 fmt::format("at most {}", kMaxText));
  if (!is_escaped_name(field))
    return wrong(in_quotes(field), "control characters, \\ and bytes that are not UTF-8 as \\ooo");
  to = field;
  return {};
}

Status RowsReader::take_number(std::string_view field, std::string_view column, bool may_be_unknown,
                               std::uint64_t limit, std::optional<std::uint64_t>& to) const {
  if (may_be_unknown && field == kUnknown) return {};
  to = number_of<std::uint64_t>(field);
  const bool has_zeros_before = field.size() > 1 && field[0] == '0';
  if (!to || *to > limit || has_zeros_before)
    return wrong(fmt::format("{} of {}", column, in_quotes(field)),
                 fmt::format("a number of at most {}{}", limit, may_be_unknown ? ", or -" : ""));
  return {};
}

Status RowsReader::snapshot(Report& report) const {
  constexpr std::size_t kFields = std::size(kSnapshotFields) + 1;
  if (fields_[0] != kSnapshot) return wrong(in_quotes(line_), "a line that begins with snapshot");
  if (fields_.size() != kFields)
    return wrong(fmt::format("{} fields", fields_.size()), fmt::format("{}", kFields));
  for (std::size_t i = 0; i + 1 < kFields; ++i) {
    const std::string_view field = fields_[i + 1];
    const SnapshotColumn& column = snapshot_columns()[i];
    Status status = std::visit(
        [&](auto member) -> Status {
          auto& to = report.snapshot.*member;
          std::optional<std::uint64_t> number;
          if constexpr (std::is_same_v<decltype(to), std::string&>) {
            return take_text(field, to);
          } else if constexpr (std::is_same_v<decltype(to), std::uint64_t&>) {
            Status taken = take_number(field, column.name, false, column.limit, number);
            if (taken) to = *number;
            return taken;
          } else {
            return take_number(field, column.name, true, column.limit, to);
          }
        },
        kSnapshotFields[i]);
    if (!status) return status;
  }
  const std::string& key = report.snapshot.key;
  if (key.size() != 64 || key.find_first_not_of("0123456789abcdef") != key.npos)
    return wrong(in_quotes(key, 70), "a key of 64 hexadecimal digits");
  if (report.snapshot.machine.empty()) return wrong("no machine", "its identity");
  return {};
}

Status RowsReader::row(Report& report) const {
  const auto tables = fact_tables();
  const auto table = std::find_if(tables.begin(), tables.end(),
                                  [&](const FactColumns& t) { return t.name == fields_[0]; });
  if (table == tables.end())
    return wrong(in_quotes(fields_[0]), "a table, such as units (physmem-fleet schema lists them)");
  const std::size_t texts = table->texts.size(), numbers = table->numbers.size();
  if (fields_.size() != 1 + texts + numbers)
    return wrong(fmt::format("{} fields", fields_.size()),
                 fmt::format("{} in {}", 1 + texts + numbers, table->name));
  std::vector<Fact>& facts = report.facts[static_cast<std::size_t>(table - tables.begin())];
  if (facts.size() == kMaxRows)
    return wrong("another row", fmt::format("at most {} of {}", kMaxRows, table->name));
  Fact& fact = facts.emplace_back();
  fact.texts.resize(texts);
  fact.numbers.resize(numbers);
  for (std::size_t i = 0; i < texts; ++i)
    if (Status status = take_text(fields_[1 + i], fact.texts[i]); !status) return status;
  for (std::size_t i = 0; i < numbers; ++i)
    if (Status status = take_number(fields_[1 + texts + i], table->numbers[i], true,
                                    table->limits[i], fact.numbers[i]);
        !status)
      return status;
  return {};
}

Status RowsReader::end(std::uint64_t rows) const {
  if (fields_.size() == 2 && fields_[1] == std::to_string(rows)) return {};
  return wrong(in_quotes(line_), fmt::format("end and {}, the number of rows", rows));
}

/// Texts are the key of a row.
Status RowsReader::check_keys(const Report& report) const {
  std::vector<const decltype(Fact::texts)*> keys;
  for (std::size_t i = 0; i < kFactTables; ++i) {
    keys.clear();
    for (const Fact& fact : report.facts[i]) keys.push_back(&fact.texts);
    const auto is_before = [](auto* a, auto* b) { return *a < *b; };
    if (!std::is_sorted(keys.begin(), keys.end(), is_before))
      std::sort(keys.begin(), keys.end(), is_before);
    const auto twice =
        std::adjacent_find(keys.begin(), keys.end(), [](auto* a, auto* b) { return *a == *b; });
    if (twice != keys.end())
      return wrong(fmt::format("{} twice in {}", in_quotes((**twice)[0]), fact_tables()[i].name),
                   "one row for each");
  }
  return {};
}

}  // namespace physmem::fleet
