// SPDX-License-Identifier: MIT
#include "viewer/moments.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/unit/ram_snapshot.h"
#include "tests/unit/snapshot_text.h"
#include "tests/unit/viewer/page_client.h"
#include "viewer/snapshot_view.h"

namespace physmem::view {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The JSON of the whole of RAM in message 4.
nlohmann::json ram_of(const std::string& bytes) {
  return nlohmann::json::parse(bytes.substr(8, u32(bytes, 4)))["ram"];
}

/// A snapshot at this second, with one file.
std::string snapshot_at(int second) {
  std::string header(kHeaderLine);
  header.replace(header.find("time_ns=0"), 9, "time_ns=" + std::to_string(second) + "000000000");
  header.insert(header.size() - 1, ", ram=all, ram_by=kcore");
  return header +
         "R: 00000000, 2, hole, 0, 0, 00000000, 0, 00000000\n"
         "O: 4, file, ext4, FE:00, 8421, 81920, 0, -, /var/log/x\n"
         "R: 00000002, 3, file, 4, 0, 0000087C, 1, 00000007\n"
         "E: 0, 0, 0, 0, 0\n";
}

struct ReadSeries {
  Result<Moments> moments = Moments{};
  std::vector<std::string> notes;
};

ReadSeries read_series(const std::vector<std::string>& files, std::size_t bytes = 1 << 20) {
  std::vector<NamedInput> inputs;
  for (std::size_t i = 0; i < files.size(); ++i)
    inputs.push_back({"file" + std::to_string(i), text_source(files[i])});
  ReadSeries result;
  result.moments = read_moments(std::move(inputs), {bytes, false},
                                [&](const std::string& note) { result.notes.push_back(note); });
  return result;
}

TEST(Moments, AreAllSnapshotsOfAllFilesInTheirOrder) {
  const std::string first = snapshot_at(1) + snapshot_at(2);
  const ReadSeries result = read_series({first, snapshot_at(3)});
  ASSERT_TRUE(result.moments);
  EXPECT_THAT(result.moments->series.times_ms, ElementsAre(1000, 2000, 3000));
  ASSERT_EQ(result.moments->snapshots.size(), 3u);
  EXPECT_EQ(result.moments->snapshots[2].substr(0, 4), std::string("\4\0\2\0", 4));
  const auto hello = nlohmann::json::parse(result.moments->hello)["hello"];
  EXPECT_EQ(hello["series"]["times_ms"].size(), 3u);
  EXPECT_EQ(hello["frames_end"], "3E8") << "ram_pages of the header";
}

/// The member "changes" of the series; null if there is none.
nlohmann::json changes_of(const ReadSeries& result) {
  const auto series = nlohmann::json::parse(result.moments->hello)["hello"]["series"];
  return series.value("changes", nlohmann::json());
}

TEST(Moments, CompareTwoFilesWithOneSnapshotEach) {
  std::string later = snapshot_at(2);
  later.replace(later.find("R: 00000002, 3"), 14, "R: 00000002, 5");
  const auto changes = changes_of(read_series({snapshot_at(1), later}));
  EXPECT_TRUE(changes["processes"]["rows"].empty());
  const auto& file = changes["files"]["rows"][0];
  EXPECT_EQ(file["name"], "/var/log/x");
  EXPECT_EQ(file["before"], 3);
  EXPECT_EQ(file["after"], 5);
  EXPECT_EQ(changes["classes"]["rows"][0]["name"], "file cache");
  EXPECT_TRUE(changes_of(read_series({snapshot_at(1) + later})).is_null());
  EXPECT_TRUE(changes_of(read_series({snapshot_at(1), later + later})).is_null());
  EXPECT_TRUE(changes_of(read_series({snapshot_at(1), later, later})).is_null());
}

TEST(Moments, ShowTheStateAndPagesOfAChangedProcess) {
  std::string later(kSample);
  later.replace(later.find("uptime_ns=8640"), 14, "uptime_ns=8641");
  const std::string ended = later.substr(0, later.find("T: cat")) + "E: 0, 0, 0, 0, 0\n";
  const auto changes = changes_of(read_series({std::string(kSample), ended}));
  const auto& row = changes["processes"]["rows"][0];
  EXPECT_EQ(row["name"], "cat");
  EXPECT_EQ(row["state"], "gone");
  EXPECT_EQ(row["before"], 3);
  EXPECT_EQ(row["went"], 3);
  EXPECT_EQ(row["came"], 0);
  EXPECT_FALSE(changes.contains("classes"));
}

TEST(Moments, LeaveOutLaterOnesWithoutRoomAndReportIt) {
  const ReadSeries result = read_series({snapshot_at(1) + snapshot_at(2) + snapshot_at(3)}, 1);
  ASSERT_TRUE(result.moments);
  EXPECT_EQ(result.moments->snapshots.size(), 1u);
  ASSERT_EQ(result.moments->series.notes.size(), 1u);
  EXPECT_THAT(result.moments->series.notes[0], HasSubstr("2 later snapshots not shown"));
  EXPECT_THAT(result.notes.back(), HasSubstr("2 later snapshots not shown"));
}

TEST(Moments, BeforeADamagedOneAreShown) {
  const ReadSeries result = read_series({snapshot_at(1) + snapshot_at(2) + "H: 2, x\n"});
  ASSERT_TRUE(result.moments);
  EXPECT_EQ(result.moments->snapshots.size(), 2u);
  EXPECT_TRUE(result.moments->data_is_missing);
  EXPECT_THAT(
      result.notes.back(),
      HasSubstr("file0: the first 2 snapshots are shown; the next one is damaged: file0:11:7"));
}

/// A snapshot at this second, with a collector's note.
std::string noted_snapshot(int second, int tasks) {
  const std::string note = "G: note.task_exited=" + std::to_string(tasks) + "\n";
  return ram_snapshot(second, note + RamLines().add(9, "slab").text());
}

TEST(Moments, HaveOneNoteOfEachKindWithTheSum) {
  EXPECT_THAT(read_series({noted_snapshot(1, 2) + noted_snapshot(2, 3)}).notes,
              ElementsAre("file0: 2 snapshots together: 5 tasks ended while being collected"));
  EXPECT_THAT(read_series({noted_snapshot(1, 2), noted_snapshot(2, 3)}).notes,
              ElementsAre("2 snapshots together: 5 tasks ended while being collected"));
  EXPECT_THAT(read_series({noted_snapshot(1, 2)}).notes,
              ElementsAre("file0: 2 tasks ended while being collected"));
}

TEST(Moments, NeedAReadableFirstSnapshot) {
  EXPECT_FALSE(read_series({"H: 2, x\n", snapshot_at(1)}).moments);
}

TEST(Moments, AreSentOnRequest) {
  const ReadSeries result = read_series({snapshot_at(1) + snapshot_at(2)});
  ASSERT_TRUE(result.moments);
  SnapshotView view(*result.moments);
  EXPECT_FALSE(view.next({})->is_binary);
  EXPECT_EQ(view.next({})->bytes, result.moments->snapshots[0]);
  EXPECT_FALSE(view.next({}));
  view.receive(R"({"want":"moment","number":1})");
  EXPECT_EQ(view.next({})->bytes, result.moments->snapshots[1]);
  EXPECT_FALSE(view.next({}));
  view.receive(R"({"want":"moment","number":2})");
  EXPECT_THAT(view.next({})->bytes, HasSubstr("expected a number below 2"));
}

TEST(Moments, HaveOwnersAndColumnsOfTheWholeOfRam) {
  const ReadSeries result = read_series({snapshot_at(1)});
  ASSERT_TRUE(result.moments);
  const std::string& bytes = result.moments->snapshots[0];
  const std::uint32_t length = u32(bytes, 4);
  const auto ram = ram_of(bytes);
  EXPECT_EQ(ram["runs"], 2);
  EXPECT_EQ(ram["frames"], 3);
  EXPECT_EQ(ram["classes"].size(), ram["class_order"].size());
  const auto& files = ram["owners"][0];
  EXPECT_EQ(files["kind"], "file");
  EXPECT_EQ(files["names"], "/var/log/x");
  EXPECT_EQ(files["inodes"], "8421");
  EXPECT_EQ(files["devices"]["words"][0], "254:0");
  EXPECT_EQ(files["links"][0], 0);
  ASSERT_EQ(bytes.size(), 8 + length + 2 * 5 * 4u);
  const auto column = [&](std::size_t which) {
    return u32(bytes, 8 + length + (which * 2 + 1) * 4);
  };
  EXPECT_EQ(column(0), 3u);
  EXPECT_EQ(column(1) & 0x7FFFFFFu, 0x87Cu);
  EXPECT_EQ(ram["classes"][column(1) >> 27]["word"], "file");
  EXPECT_EQ(column(2), 1u);
  EXPECT_EQ(column(3), 7u);
  EXPECT_EQ(column(4), 1u << 16);
}

TEST(Moments, HaveTheRulesOfTheAnalyzer) {
  const ReadSeries result =
      read_series({ram_snapshot(1,
                                "Z: 1, Normal, 00001000, 4096, 4096, 4096, 0, 0, 1, 2, 3\n" +
                                    RamLines().add(9, "slab").text(),
                                "ram_by=proc\nG: node.1.tier=22")});
  ASSERT_TRUE(result.moments);
  const auto ram = ram_of(result.moments->snapshots[0]);
  EXPECT_EQ(ram["block_order"], 9);
  const auto movability = [&](FrameClass use) { return ram["classes"][use]["movability"]; };
  EXPECT_EQ(movability(PM_RAM_HOLE), "absent");
  EXPECT_EQ(movability(PM_RAM_FREE_PERCPU), "free");
  EXPECT_EQ(movability(PM_RAM_ANON), "movable");
  EXPECT_EQ(movability(PM_RAM_SLAB), "unmovable");
  EXPECT_EQ(movability(PM_RAM_UNMARKED), "unknown");
  EXPECT_FALSE(ram["zones"][0].contains("tier"));
  EXPECT_EQ(ram["zones"][1]["tier"], 22);
  EXPECT_EQ(ram["zone_spans"], nlohmann::json::parse(R"([
    {"zone":0,"first":"0","frames":4096}, {"zone":1,"first":"1000","frames":4096},
    {"zone":0,"first":"2000","frames":91808}])"));
}

}  // namespace
}  // namespace physmem::view
