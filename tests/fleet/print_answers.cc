// SPDX-License-Identifier: MIT
// print-answers STORE [SINCE BEFORE]: prints the rows of each question, sorted, with a tab after
// each value. Rows that may occur more than once are joined. Two stores of the same snapshots print
// the same. ClickHouse has the times of units in milliseconds.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include "fleet/store/open_store.h"

namespace {

using namespace physmem::fleet;

std::string text_of(const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return "nothing";
}

/// Columns of the questions whose rows may occur more than once: which identify a row, and how the
/// others are joined: + sum, < lowest, > highest.
std::string_view joining(Question question) {
  if (question == Question::kUnits) return "==+++<><>+";
  if (question == Question::kChanges) return "=++++++++";
  if (question == Question::kRam) return "===++<>";
  return {};
}

void join(Value& into, const Value& value, char how) {
  const auto* const more = std::get_if<std::uint64_t>(&value);
  if (more == nullptr) return;
  auto* const number = std::get_if<std::uint64_t>(&into);
  if (number == nullptr)
    into = *more;
  else
    *number = how == '+'   ? *number + *more
              : how == '<' ? std::min(*number, *more)
                           : std::max(*number, *more);
}

void add(std::map<std::string, Row>& rows, Question question, const Row& row) {
  const std::string_view how = joining(question);
  std::string key;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (how.empty() || how[i] == '=') key += text_of(row[i]) + "\t";
  const auto [found, is_new] = rows.emplace(key, row);
  if (is_new) return;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!how.empty() && how[i] != '=') join(found->second[i], row[i], how[i]);
}

bool print(Store& store, Question question, const Selection& selection) {
  std::map<std::string, Row> rows;
  const physmem::Status status = store.ask(question, selection, [&](const Row& row) {
    add(rows, question, row);
    return physmem::Status();
  });
  if (!status) {
    std::cerr << name(question) << ": " << status.error().text << "\n";
    return false;
  }
  std::cout << "== " << name(question) << ": " << rows.size() << " rows\n";
  for (const auto& [key, row] : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_time = question == Question::kUnits && (i == 7 || i == 8);
      const auto* const number = std::get_if<std::uint64_t>(&row[i]);
      std::cout << (is_time && number != nullptr ? std::to_string(*number / 1'000'000)
                                                 : text_of(row[i]))
                << "\t";
    }
    std::cout << "\n";
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) return 2;
  const auto store = open_store(argv[1], StoreAccess::kRead);
  if (!store) {
    std::cerr << store.error().text << "\n";
    return 4;
  }
  Selection selection;
  std::uint64_t middle = 1795392000;  // 2026-11-23, in the middle of the days of stores-agree
  if (argc == 4) {
    selection.since = std::strtoull(argv[2], nullptr, 10);
    selection.before = std::strtoull(argv[3], nullptr, 10);
    middle = (selection.since + selection.before) / 2;
  }
  bool is_good = true;
  for (const Question question :
       {Question::kMachines, Question::kUnitNames, Question::kUnits, Question::kRam,
        Question::kHosts, Question::kTrend, Question::kLeaks, Question::kGaps, Question::kAlerts,
        Question::kLater})
    is_good = print(**store, question, selection) && is_good;
  selection.since = selection.earlier_before = middle;
  is_good = print(**store, Question::kChanges, selection) && is_good;
  return is_good ? 0 : 1;
}
