// SPDX-License-Identifier: MIT
// Reports and stores for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "analyzer/report/cell_text.h"
#include "fleet/ask/ask_store.h"
#include "fleet/rows/rows_text.h"
#include "fleet/rows/snapshot_reports.h"
#include "fleet/store/open_store.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/temporary_folder.h"

namespace physmem::fleet {

/// 2026-11-21T00:00:00Z.
inline constexpr std::uint64_t kDayOne = 1795219200;
inline constexpr std::uint64_t kSecondNs = 1'000'000'000;

/// A snapshot of version 1.
inline constexpr const char* kVersion1 = "T: cat     , 7, 00000007, 0, 0, 0, 0, 0, 0, 0\n";

/// The reports of snapshots in a text, and the error after them.
struct Reading {
  std::vector<Report> reports;
  std::string error;
};

inline Reading reports_of(ByteSource& source, OpenAlerts& alerts,
                          const ReportSettings& settings = {}) {
  SnapshotReports reader(source, "snap", "by-path", settings, alerts);
  Reading reading;
  while (true) {
    auto report = reader.next();
    if (!report) reading.error = report.error().text;
    if (!report || !*report) return reading;
    reading.reports.push_back(std::move(**report));
  }
}

inline Reading reports_of(const std::string& text) {
  OpenAlerts alerts;
  const auto source = text_source(text);
  return reports_of(*source, alerts);
}

/// The example of the format `second` seconds after kDayOne.
inline std::string sample_at(std::uint64_t second, const std::string& keys = "") {
  std::string text = with(std::string(kSample), "time_ns=1763683200000000000",
                          "time_ns=" + std::to_string((kDayOne + second) * kSecondNs));
  return with(text, "pfn=shown", "pfn=shown" + keys);
}

/// A report of one unit, with `kib` of text.
inline Report unit_report(const std::string& machine, std::uint64_t second, std::uint64_t kib,
                          const std::string& unit = "/lib/libc.so.6") {
  static int key = 0;
  Report report;
  report.snapshot.key = std::string(60, 'a') + std::to_string(1000 + ++key % 9000);
  report.snapshot.machine = machine;
  report.snapshot.host = "host-" + machine;
  report.snapshot.boot = "boot";
  report.snapshot.time_ns = (kDayOne + second) * kSecondNs;
  report.of(FactTable::kUnits)
      .push_back({{unit}, {kib * 1024, 0, 0, 1, kib * 1024, kib * 1024, kib * 1024, 0}});
  return report;
}

/// A store in a file of its own.
class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    auto store = open_store("sqlite:" + path(), StoreAccess::kCreate);
    ASSERT_TRUE(store) << store.error().text;
    store_ = std::move(*store);
    ASSERT_TRUE(store_->create());
  }
  std::string path() const { return folder_.path("fleet.db"); }
  void add(const std::vector<Report>& reports) {
    const Status status = store_->add(reports);
    ASSERT_TRUE(status) << status.error().text;
  }
  /// Lines of cells, separated by blanks; unknown ones are "-".
  std::string rows(Question question, const Selection& selection = {}) {
    std::string text;
    const Status status = store_->ask(question, selection, [&](const Row& row) -> Status {
      for (std::size_t i = 0; i < row.size(); ++i) {
        text += i == 0 ? "" : " ";
        if (const auto* number = std::get_if<std::uint64_t>(&row[i]))
          text += std::to_string(*number);
        else if (const auto* word = std::get_if<std::string>(&row[i]))
          text += *word;
        else
          text += "-";
      }
      text += "\n";
      return {};
    });
    return status ? text : status.error().text;
  }
  /// Asked in 2027, unless the question has a time.
  Result<Answer> answer_of(Asked asked) {
    if (asked.now == 0) asked.now = kDayOne + 100 * kDay;
    return answer(*store_, asked);
  }
  /// The first table of an answer.
  Table ask(const Asked& asked) {
    auto found = answer_of(asked);
    EXPECT_TRUE(found) << found.error().text;
    return found ? found->tables.front() : Table();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

/// Cells of a row, separated by commas. Sizes are bytes.
inline std::string cells(const std::vector<Cell>& row) {
  std::string text;
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += i == 0 ? "" : ",";
    append_cell(text, row[i], Column::Kind::kNumber);
  }
  return text;
}

}  // namespace physmem::fleet
