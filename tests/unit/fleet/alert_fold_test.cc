// SPDX-License-Identifier: MIT
// The rule when an alert opens, closes and is open.
#include "fleet/ask/alert_fold.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace physmem::fleet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr AlertEvent kClosed = AlertEvent::kClosed, kOpen = AlertEvent::kOpen,
                     kUnitEnded = AlertEvent::kUnitEnded, kUnitStays = AlertEvent::kUnitStays,
                     kUnitBegins = AlertEvent::kUnitBegins;

struct TestEvent {
  std::uint64_t ms;
  AlertEvent event;
  std::string process = "p";
  std::string unit = "u";
  std::string machine = "m";
};

/// Lines: machine unit process opened closed first_ms last_ms is_open.
std::vector<std::string> folded(const std::vector<TestEvent>& events, std::uint64_t since_ms = 0) {
  std::vector<std::string> lines;
  AlertFold fold(since_ms, [&](const std::string& machine, const AlertName& name,
                               const AlertChanges& changes) {
    lines.push_back(fmt::format("{} {} {} {} {} {} {} {}", machine, name.unit, name.process,
                                changes.opened, changes.closed, changes.first_ms, changes.last_ms,
                                changes.is_open));
  });
  for (const TestEvent& event : events)
    fold.add(event.machine, {event.unit, event.process, "rule"}, event.ms, event.event);
  fold.end();
  return lines;
}

TEST(AlertFold, CountsChangesOnly) {
  EXPECT_THAT(folded({{1, kOpen}, {2, kOpen}, {3, kClosed}, {4, kClosed}, {5, kOpen}}),
              ElementsAre("m u p 2 1 1 5 true"));
}

TEST(AlertFold, CountsAnAlertThatIsFirstReportedAsClosed) {
  EXPECT_THAT(folded({{1, kClosed}}), ElementsAre("m u p 0 1 1 1 false"));
}

TEST(AlertFold, ClosesOpenAlertsOfAUnitThatEnds) {
  EXPECT_THAT(folded({{1, kOpen, "p"}, {1, kOpen, "q"}, {2, kClosed, "q"}, {3, kUnitEnded}}),
              ElementsAre("m u p 1 1 1 3 false", "m u q 1 1 1 2 false"));
}

TEST(AlertFold, DoesNotCloseAnAlertWhoseUnitEndedBefore) {
  EXPECT_THAT(folded({{1, kUnitEnded}, {2, kClosed}}), IsEmpty());
  EXPECT_THAT(folded({{1, kUnitEnded}, {2, kOpen}}), ElementsAre("m u p 1 0 2 2 true"));
}

TEST(AlertFold, ReportsAUnitWhoseAlertsAreUnknown) {
  EXPECT_THAT(folded({{5, kUnitStays}}), ElementsAre("m u  0 0 0 0 true"));
  EXPECT_THAT(folded({{1, kOpen}, {5, kUnitStays}}), ElementsAre("m u p 1 0 1 1 true"));
  EXPECT_THAT(folded({{1, kOpen}, {2, kClosed}, {5, kUnitStays}}),
              ElementsAre("m u p 1 1 1 2 false", "m u  0 0 0 0 true"));
}

TEST(AlertFold, ReportsUnknownAlertsNextToKnownOnes) {
  EXPECT_THAT(folded({{1, kUnitBegins}, {2, kOpen}, {5, kUnitStays}}, 2),
              ElementsAre("m u p 1 0 2 2 true", "m u  0 0 0 0 true"));
  EXPECT_THAT(folded({{2, kOpen}, {2, kUnitBegins}, {5, kUnitStays}}),
              ElementsAre("m u p 1 0 2 2 true"));
  EXPECT_THAT(folded({{1, kUnitBegins}, {2, kOpen}, {5, kUnitEnded}}),
              ElementsAre("m u p 1 1 2 5 false"));
  // The first report on q closes it, so it was the unknown alert.
  EXPECT_THAT(folded({{1, kUnitBegins}, {2, kOpen}, {3, kClosed, "q"}, {5, kUnitStays}}),
              ElementsAre("m u p 1 0 2 2 true", "m u q 0 1 3 3 false"));
  EXPECT_THAT(folded({{1, kUnitBegins}, {2, kOpen}, {3, kClosed}, {5, kUnitStays}}),
              ElementsAre("m u p 1 1 2 3 false", "m u  0 0 0 0 true"));
  EXPECT_THAT(
      folded({{1, kUnitBegins}, {2, kUnitEnded}, {3, kOpen}, {3, kUnitBegins}, {5, kUnitStays}}),
      ElementsAre("m u p 1 0 3 3 true"));
  // The same after an alert of the unit has ended.
  EXPECT_THAT(folded({{1, kOpen},
                      {2, kUnitEnded},
                      {3, kUnitBegins},
                      {4, kOpen, "r"},
                      {5, kClosed, "q"},
                      {6, kUnitStays}}),
              ElementsAre("m u p 1 1 1 2 false", "m u q 0 1 5 5 false", "m u r 1 0 4 4 true"));
}

TEST(AlertFold, KnowsFromEarlierEventsWhatWasOpen) {
  EXPECT_THAT(folded({{1, kOpen}, {7, kOpen}, {8, kUnitStays}}, 5),
              ElementsAre("m u p 0 0 0 0 true"));
  EXPECT_THAT(folded({{1, kOpen}, {7, kClosed}}, 5), ElementsAre("m u p 0 1 7 7 false"));
  EXPECT_THAT(folded({{1, kOpen}, {4, kUnitEnded}}, 5), IsEmpty());
  EXPECT_THAT(folded({{4, kUnitStays}}, 5), IsEmpty());
  EXPECT_THAT(folded({{5, kUnitStays}}, 5), ElementsAre("m u  0 0 0 0 true"));
}

TEST(AlertFold, KeepsMachinesAndUnitsApart) {
  EXPECT_THAT(folded({{1, kOpen, "p", "u", "m"},
                      {1, kOpen, "p", "u", "n"},
                      {2, kUnitEnded, "", "u", "m"},
                      {1, kUnitEnded, "", "v", "m"},
                      {2, kOpen, "p", "v", "m"},
                      {3, kUnitStays, "", "u", "n"}}),
              ElementsAre("m u p 1 1 1 2 false", "m v p 1 0 2 2 true", "n u p 1 0 1 1 true"));
}

}  // namespace
}  // namespace physmem::fleet
