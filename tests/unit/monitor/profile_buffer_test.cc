// SPDX-License-Identifier: MIT
#include "tools/monitor/profile_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "profile_files.h"

namespace physmem::monitor {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kEmpty = PM_PROFILE_EMPTY;
constexpr int kSamples = static_cast<int>(PM_PROFILE_SAMPLES);

class ProfileBufferTest : public ProfileTest {
 protected:
  Reading read() {
    const auto buffer = ProfileBuffer::open(ring_.name(), Access::kRead);
    EXPECT_TRUE(buffer);
    return buffer->read();
  }
  Reading consume() {
    auto buffer = ProfileBuffer::open(ring_.name(), Access::kConsume);
    EXPECT_TRUE(buffer);
    Reading reading = buffer->read();
    buffer->empty(reading);
    return reading;
  }
  std::vector<long> longs() { return {ring_.longs(), ring_.longs() + PM_PROFILE_LONGS}; }

  RingFile ring_{in_folder("node")};
};

TEST_F(ProfileBufferTest, IsEmptyAtFirst) {
  EXPECT_THAT(read().samples, IsEmpty());
  EXPECT_EQ(read().torn, 0U);
}

TEST_F(ProfileBufferTest, ReturnsThreeSamplesAndKeepsThem) {
  for (int i = 0; i < 3; ++i) ring_.put({100 + i, i, 0, 7});
  EXPECT_THAT(read().samples,
              ElementsAre(Sample{100, 0, 0, 7}, Sample{101, 1, 0, 7}, Sample{102, 2, 0, 7}));
  EXPECT_THAT(read().samples, SizeIs(3));
}

TEST_F(ProfileBufferTest, HoldsTenMinutes) {
  for (int i = 0; i < kSamples + 5; ++i) ring_.put({i, 0, 0, 0});
  const std::vector<Sample> samples = in_order_of_time(read().samples);
  ASSERT_THAT(samples, SizeIs(kSamples));
  EXPECT_EQ(samples.front().jiffies, 5);
  EXPECT_EQ(samples.back().jiffies, kSamples + 4);
}

TEST_F(ProfileBufferTest, ConsumesAllSamplesOnce) {
  for (int i = 0; i < kSamples + 5; ++i) ring_.put({i, 1, 2, 3});
  EXPECT_THAT(consume().samples, SizeIs(kSamples));
  EXPECT_THAT(longs(), Each(kEmpty));
  EXPECT_THAT(consume().samples, IsEmpty());
}

TEST_F(ProfileBufferTest, KeepsSamplesWrittenAfterTheRead) {
  for (int i = 0; i < kSamples; ++i) ring_.put({100 + i, 1, 2, 3});
  auto buffer = ProfileBuffer::open(ring_.name(), Access::kConsume);
  ASSERT_TRUE(buffer);
  const Reading reading = buffer->read();
  ring_.put({100 + kSamples, 4, 5, 6});  // overwrites the oldest
  buffer->empty(reading);
  EXPECT_THAT(read().samples, ElementsAre(Sample{100 + kSamples, 4, 5, 6}));
}

TEST_F(ProfileBufferTest, ReadsTheRestAfterAnotherClientConsumedAPart) {
  for (int i = 0; i < 4; ++i) ring_.put({100 + i, 1, 2, 3});
  std::fill_n(ring_.longs(), 2 * PM_PROFILE_SAMPLE_LONGS, kEmpty);
  EXPECT_THAT(read().samples, ElementsAre(Sample{102, 1, 2, 3}, Sample{103, 1, 2, 3}));
}

TEST_F(ProfileBufferTest, SkipsAndCountsHalfConsumedSamples) {
  ring_.put({100, 1, 2, 3});
  ring_.put({101, 1, 2, 3});
  ring_.longs()[0] = kEmpty;  // the first long of the first sample
  ring_.longs()[5] = kEmpty;  // the second one of the second
  const Reading reading = read();
  EXPECT_THAT(reading.samples, IsEmpty());
  EXPECT_EQ(reading.torn, 1U);
}

TEST_F(ProfileBufferTest, ReturnsOnlyWholeSamplesDuringWrites) {
  const auto buffer = ProfileBuffer::open(ring_.name(), Access::kRead);
  ASSERT_TRUE(buffer);
  const std::jthread writer([&](const std::stop_token& stop) {
    for (std::int64_t i = 1; !stop.stop_requested(); ++i) ring_.put({i, i, i, i});
  });
  int mixed = 0;
  std::int64_t newest = 0;
  // A reading counts if the writer has written since the previous one.
  for (int readings = 0; readings < 50;) {
    const std::int64_t before = newest;
    for (const Sample& sample : buffer->read().samples) {
      mixed += sample != Sample{sample.jiffies, sample.jiffies, sample.jiffies, sample.jiffies};
      newest = std::max(newest, sample.jiffies);
    }
    readings += newest != before;
  }
  EXPECT_EQ(mixed, 0) << "samples that mix two writes";
}

TEST_F(ProfileBufferTest, RejectsFilesThatAreNotABuffer) {
  EXPECT_THAT(
      ProfileBuffer::open(put("short", std::string(1000, '\xFF')), Access::kRead).error().text,
      HasSubstr("found 1000 bytes, expected at least " + std::to_string(ring_size())));
  EXPECT_THAT(ProfileBuffer::open("/dev/physmem-no-such-device", Access::kRead).error().text,
              HasSubstr("modprobe physmem_faults"));
  EXPECT_EQ(ProfileBuffer::open(in_folder("."), Access::kRead).error().kind,
            Error::Kind::kBadInput);
}

TEST_F(ProfileBufferTest, AcceptsAFileThatEndsAfterTheRing) {
  const std::string name = put("ring", std::string(ring_size(), '\xFF'));
  const auto buffer = ProfileBuffer::open(name, Access::kRead);
  ASSERT_TRUE(buffer);
  EXPECT_THAT(buffer->read().samples, IsEmpty());
}

TEST_F(ProfileBufferTest, HasNoSamplesAfterItsFileIsTruncated) {
  ring_.put({100, 1, 2, 3});
  const auto buffer = ProfileBuffer::open(ring_.name(), Access::kRead);
  ASSERT_TRUE(buffer);
  EXPECT_THAT(buffer->read().samples, SizeIs(1));
  std::filesystem::resize_file(ring_.name(), 0);
  EXPECT_THAT(buffer->read().samples, IsEmpty());
}

}  // namespace
}  // namespace physmem::monitor
