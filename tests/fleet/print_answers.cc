// SPDX-License-Identifier: MIT
// print-answers STORE [SINCE BEFORE]: prints the rows of each question, sorted, with a tab after
// each value. Two stores of the same snapshots print the same. ClickHouse has the times of units in
// milliseconds.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "fleet/store/store.h"

namespace {

using namespace physmem::fleet;

std::string text_of(const Value& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return "nothing";
}

bool print(Store& store, Question question, const Selection& selection) {
  std::vector<std::string> lines;
  const physmem::Status status = store.ask(question, selection, [&](const Row& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_time = question == Question::kUnits && (i == 7 || i == 8);
      const auto* const number = std::get_if<std::uint64_t>(&row[i]);
      line += is_time && number != nullptr ? std::to_string(*number / 1'000'000) : text_of(row[i]);
      line += "\t";
    }
    lines.push_back(line);
    return physmem::Status();
  });
  if (!status) {
    std::cerr << name(question) << ": " << status.error().text << "\n";
    return false;
  }
  std::sort(lines.begin(), lines.end());
  std::cout << "== " << name(question) << ": " << lines.size() << " rows\n";
  for (const std::string& line : lines) std::cout << line << "\n";
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
  if (argc == 4) {
    selection.since = std::strtoull(argv[2], nullptr, 10);
    selection.before = std::strtoull(argv[3], nullptr, 10);
  }
  bool is_good = true;
  for (const Question question :
       {Question::kMachines, Question::kUnitNames, Question::kUnits, Question::kRam,
        Question::kHosts, Question::kTrend, Question::kLeaks, Question::kGaps})
    is_good = print(**store, question, selection) && is_good;
  return is_good ? 0 : 1;
}
