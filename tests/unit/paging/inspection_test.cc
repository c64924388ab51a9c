// SPDX-License-Identifier: MIT
#include "paging/fold/inspection.h"

#include <gmock/gmock.h>

#include "tests/unit/paging/paging_text.h"

namespace physmem {
namespace {

using testing::HasSubstr;

void expect_status(const Inspection& found, PageStatus page, FrameStatus frame, SlotStatus slot) {
  EXPECT_STREQ(name(found.page), name(page)) << found.words[0];
  EXPECT_STREQ(name(found.frame), name(frame)) << found.words[1];
  EXPECT_STREQ(name(found.slot), name(slot)) << found.words[2];
}

TEST(Inspection, ReportsAReadPageAsResidentWithACopyInItsSlot) {
  const PagingState state = timeline_of("in 8101 371 7F10C2A00000 1B000 0:10 io").present();
  const Inspection frame = inspect_frame(state, 0x1B000);
  expect_status(frame, PageStatus::kResident, FrameStatus::kHolds, SlotStatus::kCopy);
  EXPECT_THAT(frame.words[0],
              HasSubstr("7F10C2A00000 of process 371 was read in at 8.101 s into frame 1B000"));
  EXPECT_EQ(frame.event, 1u);
  expect_status(inspect_slot(state, 0, 0x10), PageStatus::kResident, FrameStatus::kHolds,
                SlotStatus::kCopy);
  expect_status(inspect_address(state, 371, 0x7F10C2A00123), PageStatus::kResident,
                FrameStatus::kHolds, SlotStatus::kCopy);
}

TEST(Inspection, ReportsAWrittenPageAsSwappedWithItsOnlyCopy) {
  const PagingState state = timeline_of(R"(
in 100 371 7F000000 1B000 0:10 io
out 200 371 7F000000 1B000 0:22 io)")
                                .present();
  expect_status(inspect_frame(state, 0x1B000), PageStatus::kSwapped, FrameStatus::kLeft,
                SlotStatus::kOnlyCopy);
  expect_status(inspect_slot(state, 0, 0x22), PageStatus::kSwapped, FrameStatus::kLeft,
                SlotStatus::kOnlyCopy);
  const Inspection old = inspect_slot(state, 0, 0x10);
  expect_status(old, PageStatus::kSwapped, FrameStatus::kLeft, SlotStatus::kUnknown);
  EXPECT_THAT(old.words[2], HasSubstr("out of date: the page was written to slot 0:22"));
}

TEST(Inspection, ReportsFramesAndSlotsOfAnotherPageAsReused) {
  const PagingState state = timeline_of(R"(
out 100 371 7F000000 1B000 0:10 io
in 150 372 55000000 1B000 0:30 io
in 160 371 7F000000 1C000 0:10 io
out 170 372 55000000 1B000 0:10 io)")
                                .present();
  const Inspection page = inspect_address(state, 371, 0x7F000000);
  expect_status(page, PageStatus::kResident, FrameStatus::kHolds, SlotStatus::kReused);
  EXPECT_THAT(page.words[2],
              HasSubstr("slot 0:10 has been used for another page since, at 0.170 s"));
  // The page of the slot left its frame, which holds another page now.
  const PagingState reused = timeline_of(R"(
out 100 371 7F000000 1B000 0:10 io
in 150 372 55000000 1B000 0:30 io)")
                                 .present();
  expect_status(inspect_slot(reused, 0, 0x10), PageStatus::kSwapped, FrameStatus::kReused,
                SlotStatus::kOnlyCopy);
}

TEST(Inspection, ReportsUnknownWithoutEvidence) {
  const PagingState state = timeline_of(R"(
in 100 371 - 1B001 0:11 io readahead
out 200 0 - 1B002 0:12 io)")
                                .present();
  expect_status(inspect_frame(state, 0x1B001), PageStatus::kUnknown, FrameStatus::kHolds,
                SlotStatus::kCopy);
  expect_status(inspect_frame(state, 0x1B002), PageStatus::kUnknown, FrameStatus::kLeft,
                SlotStatus::kOnlyCopy);
  for (const Inspection& nothing :
       {inspect_frame(state, 5), inspect_slot(state, 3, 5), inspect_address(state, 371, 0x1000)}) {
    expect_status(nothing, PageStatus::kUnknown, FrameStatus::kUnknown, SlotStatus::kUnknown);
    EXPECT_EQ(nothing.event, 0u);
    EXPECT_THAT(nothing.words[0], HasSubstr("no event has touched it"));
  }
}

}  // namespace
}  // namespace physmem
