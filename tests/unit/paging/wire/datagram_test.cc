// SPDX-License-Identifier: MIT
#include "paging/wire/datagram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "paging/model/paging_record.h"
#include "tests/unit/paging/wire/paging_examples.h"

namespace physmem::wire {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Raw = std::vector<std::uint8_t>;

std::string error_of(const Raw& bytes) {
  const Result<Datagram> datagram = decode(bytes);
  return datagram ? "none" : datagram.error().text;
}

Raw with(Raw bytes, std::size_t at, std::uint8_t value) {
  bytes.at(at) = value;
  return bytes;
}

TEST(Datagram, BeginsWithMagicVersionKindCountAndSums) {
  Bytes bytes;
  const Envelope envelope{0x0102030405060708, 0x21, 0x31, 0x41};
  ASSERT_EQ(encode_end(envelope, Kind::kEnd, bytes), kEnvelopeBytes);
  EXPECT_THAT(std::span(bytes).first(kEnvelopeBytes),
              ElementsAre('P', 'F', 'T', 'R', 1, 3, 0, 0,  //
                          8, 7, 6, 5, 4, 3, 2, 1,          //
                          0x21, 0, 0, 0, 0, 0, 0, 0,       //
                          0x31, 0, 0, 0, 0, 0, 0, 0,       //
                          0x41, 0, 0, 0, 0, 0, 0, 0));
}

TEST(Datagram, HasTheRecordLayoutOfTheSpecification) {
  const Raw bytes = ExampleSession(1).events(1);  // event 0, a swap-in
  ASSERT_EQ(bytes.size(), kEnvelopeBytes + kRecordBytes);
  const auto number = [&bytes](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | bytes[kEnvelopeBytes + at + i];
    return value;
  };
  EXPECT_EQ(number(0, 8), 0u);                // sequence
  EXPECT_EQ(number(8, 8), 8'100'000'000u);    // time
  EXPECT_EQ(number(16, 8), 0x7F10C2A00000u);  // address
  EXPECT_EQ(number(24, 8), 0x1A2B3u);         // frame
  EXPECT_EQ(number(32, 8), 0x10u);            // slot
  EXPECT_EQ(number(40, 8), 0x80u);            // sector
  EXPECT_EQ(number(48, 8), 412000u);          // service time
  EXPECT_EQ(number(56, 4), 371u);             // pid
  EXPECT_EQ(number(60, 4), 370u);             // tgid
  EXPECT_EQ(number(64, 4), 0x21u);            // io major
  EXPECT_EQ(number(68, 2), 2u);               // CPU
  EXPECT_EQ(number(70, 1), 1u);               // in
  EXPECT_EQ(number(71, 1), 0u);               // swap area
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(&bytes[kEnvelopeBytes + 72])), "work");
}

TEST(Datagram, DecodesEventsUnchanged) {
  ExampleSession session(7);
  const Result<Datagram> datagram = decode(session.events(kMaxEvents));
  ASSERT_TRUE(datagram) << datagram.error().text;
  ASSERT_EQ(datagram->events.size(), kMaxEvents);
  for (std::size_t i = 0; i < kMaxEvents; ++i) EXPECT_EQ(datagram->events[i], example_event(i));
  EXPECT_EQ(decode(session.end())->envelope, (Envelope{7, 1, 0, kMaxEvents}));
}

TEST(Datagram, DecodesAConfigurationUnchanged) {
  const Result<Datagram> datagram = decode(ExampleSession(7).configuration());
  ASSERT_TRUE(datagram) << datagram.error().text;
  EXPECT_EQ(datagram->configuration, example_header());
}

TEST(Datagram, ShortensAConfigurationToTheMaximumSize) {
  TraceHeader header = example_header();
  header.kernel = std::string(300, 'k');
  header.swap_areas.clear();
  for (unsigned i = 0; i < 40; ++i)
    header.swap_areas.push_back({static_cast<std::uint8_t>(i), SwapAreaKind::kFile, i + 1,
                                 std::string(4000, 'p') + std::to_string(i)});
  const Raw bytes = ExampleSession(7).configuration(header);
  EXPECT_LE(bytes.size(), kMaxBytes);
  const Result<Datagram> datagram = decode(bytes);
  ASSERT_TRUE(datagram) << datagram.error().text;
  EXPECT_EQ(datagram->configuration->kernel, std::string(64, 'k'));
  ASSERT_EQ(datagram->configuration->swap_areas.size(), kMaxAreas);
  EXPECT_THAT(datagram->configuration->swap_areas[31].name, ::testing::MatchesRegex("p+31"));
}

TEST(Datagram, RejectsEveryPrefix) {
  for (const Raw& whole :
       {ExampleSession(1).configuration(), ExampleSession(1).events(3), ExampleSession(1).end()})
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(error_of({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                "none")
          << size;
}

TEST(Datagram, RejectsAdditionalBytes) {
  for (Raw bytes :
       {ExampleSession(1).configuration(), ExampleSession(1).events(3), ExampleSession(1).end()}) {
    bytes.push_back(0);
    EXPECT_NE(error_of(bytes), "none");
  }
  EXPECT_THAT(error_of(Raw(kMaxBytes + 1)), HasSubstr("found 1473 bytes, expected 40 to 1472"));
}

TEST(Datagram, ReportsTheOffsetOfAnError) {
  const Raw events = ExampleSession(1).events(2), configuration = ExampleSession(1).configuration();
  EXPECT_THAT(error_of(with(events, 0, 'Q')), HasSubstr("byte 0: this is no datagram of pftraced"));
  EXPECT_THAT(error_of(with(events, 4, 2)), HasSubstr("byte 4: found version 2, expected 1"));
  EXPECT_THAT(error_of(with(events, 5, 5)), HasSubstr("byte 5: found kind 5"));
  EXPECT_THAT(error_of(with(events, 6, 0)), HasSubstr("byte 6: found 0 events"));
  EXPECT_THAT(error_of(with(events, 6, 17)), HasSubstr("byte 6: found 17 events"));
  EXPECT_THAT(error_of(with(events, 6, 3)),
              HasSubstr("found 176 bytes for 3 events, expected 264"));
  EXPECT_THAT(error_of(with(events, 32, 1)),
              HasSubstr("byte 32: found 1 events before this datagram"));
  EXPECT_THAT(error_of(with(events, 40 + 88 + 70, 3)), HasSubstr("byte 198: found kind 3"));
  EXPECT_THAT(error_of(with(events, 40 + 87, 'x')),
              HasSubstr("byte 127: found a command without end"));
  EXPECT_THAT(error_of(with(configuration, 6, 33)), HasSubstr("byte 6: found 33 swap areas"));
  EXPECT_THAT(error_of(with(configuration, 64, 1)),
              HasSubstr("byte 64: found a page size of 4097"));
  EXPECT_THAT(error_of(with(configuration, 71, 1)), HasSubstr("byte 71: found 1, expected 0"));
  EXPECT_THAT(error_of(with(configuration, 6, 1)), HasSubstr("bytes too many"));
  EXPECT_THAT(error_of(with(configuration, 6, 3)), HasSubstr("the swap area is cut short"));
}

TEST(Datagram, RejectsMoreThan2To52Frames) {
  TraceHeader header = example_header();
  header.frames_end = (std::uint64_t{1} << 52) + 1;
  EXPECT_THAT(error_of(ExampleSession(1).configuration(header)),
              HasSubstr("byte 48: found 4503599627370497 as end"));
}

TEST(Datagram, HoldsAtMostSixteenEvents) {
  EXPECT_TRUE(may_hold(0, 0));
  EXPECT_FALSE(may_hold(0, 1));
  EXPECT_TRUE(may_hold(1, 16));
  EXPECT_FALSE(may_hold(1, 17));
  EXPECT_FALSE(may_hold(1, ~std::uint64_t{0}));
}

TEST(Datagram, RejectsADuplicateSwapArea) {
  TraceHeader header = example_header();
  header.swap_areas[1].type = 0;
  EXPECT_THAT(error_of(ExampleSession(1).configuration(header)),
              HasSubstr("swap area 0 appears twice"));
}

}  // namespace
}  // namespace physmem::wire
