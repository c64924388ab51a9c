// SPDX-License-Identifier: MIT
// Entries that are delivered as predecoded runs are exactly those that the text lacks.
#include "analyzer/parse/predecoded_runs.h"
#include "analyzer/parse/decoded_source.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/formats/compact/compact_text.h"

namespace physmem {
namespace {

const std::string kLines =
    "V: 10000000, 1000AFFF, 0000B000, 00003000\n"
    "M: 10000000=00001000, 1, 00000868 | 10001000=00002000, 1, 00000868 | 10005000=00009000, 2, "
    "00000868 |\n"
    "X: 1M: 10000000=00001000, 1, 00000868 |\n";

struct Predecoded {
  std::string text;
  std::string runs;
  std::uint64_t bytes = 0;  ///< size of the runs as text
};

/// All of the text, and all runs with their text offsets.
Predecoded read_predecoded(const std::string& text) {
  const std::string compact = compact_of(text);
  auto source = decoded(text_source(compact), "s");
  (*source)->predecoded_runs()->request();
  Predecoded result;
  std::string piece(1 << 20, ' ');
  while (const std::size_t n = *(*source)->read(piece.data(), piece.size()))
    result.text.append(piece, 0, n);
  PageBatch batch;
  for (std::uint64_t at = 0; at <= result.text.size(); ++at) {
    for (std::uint64_t bytes = 1; bytes != 0; result.bytes += bytes) {
      batch.clear();
      bytes = (*source)->predecoded_runs()->take(at, batch);
      for (const PageRun& run : batch.runs())
        result.runs += fmt::format("{}:{:X}={:X}+{} ", at, run.va, run.value, run.pages);
    }
  }
  return result;
}

TEST(PredecodedRuns, AreLeftOutOfTheText) {
  const Predecoded result = read_predecoded(kLines);
  EXPECT_EQ(
      result.text,
      "V: 10000000, 1000AFFF, 0000B000, 00003000\nM:\nX: 1M: 10000000=00001000, 1, 00000868 |\n")
      << "only M: lines have entries";
  EXPECT_EQ(result.runs, "44:10000000=1000+2 44:10005000=9000+1 ");
  EXPECT_EQ(result.text.size() + result.bytes, kLines.size());
}

TEST(PredecodedRuns, AreTextUnlessRequested) {
  const std::string compact = compact_of(kLines);
  auto source = decoded(text_source(compact), "s");
  std::string text(kLines.size(), ' ');
  EXPECT_EQ(*(*source)->read(text.data(), text.size()), kLines.size());
  EXPECT_EQ(text, kLines);
}

TEST(PredecodedRuns, AreSinglePagesForDescendingFrames) {
  const Predecoded result = read_predecoded(
      "H: 2\nM: 10000000=00003000, 1, 00000868 | 10001000=00002000, 1, 00000868 | "
      "10002000=00001000, 1, "
      "00000868 |\n");
  EXPECT_EQ(result.runs, "7:10000000=3000+1 7:10001000=2000+1 7:10002000=1000+1 ");
}

/// The page size differs from the batch's, so each entry stays alone.
TEST(PredecodedRuns, AreSinglePagesForAnotherPageSize) {
  const Predecoded result = read_predecoded(
      "H: 2, page_size=16384\nM: 10000000=00004000, 1, 00000868 | 10004000=00008000, 1, 00000868 "
      "|\n");
  EXPECT_EQ(result.runs, "24:10000000=4000+1 24:10004000=8000+1 ");
}

TEST(PredecodedRuns, AreLimitedWhileTheyAreNotTaken) {
  std::string text = "H: 2\nM:";
  for (std::uint64_t i = 0; i < 2 * PredecodedRuns::kMax; ++i)
    text += fmt::format(" {:08X}={:08X}, 1, 00000868 |", 0x10000000 + i * 0x1000,
                        0x100000 + i * 0x3000);
  text += "\n";
  const Predecoded result = read_predecoded(text);
  EXPECT_GT(result.text.size(), text.size() / 3) << "the others are in the text";
  EXPECT_GT(result.bytes, text.size() / 3);
  EXPECT_EQ(result.text.size() + result.bytes, text.size());
}

/// The first problem that is reported about a text after its last snapshot.
std::string problem_after_last_snapshot(ByteSource& source) {
  SnapshotReader reader(source, "s", {.keep_going = true});
  EventText events;
  while (*reader.next(events)) continue;
  return reader.notes().first_problem;
}

/// At any length: a line of 40000 entries exceeds the limit of lines that are read as a whole.
TEST(PredecodedRuns, DoNotChangeTheMessageAfterTheEnd) {
  std::string text = std::string(kSample) + "M:";
  for (int i = 0; i < 40000; ++i)
    text += fmt::format(" {:08X}=00001000, 1, 00000868 |", 0x10000000 + i * 0x1000);
  text += "\n";
  const std::string expected = problem_after_last_snapshot(*text_source(text));
  EXPECT_NE(expected.find("found \"M:\" after the end"), std::string::npos) << expected;
  const std::string compact = compact_of(text);
  EXPECT_EQ(problem_after_last_snapshot(**decoded(text_source(compact), "s")), expected);
}

/// Fills the whole buffer in each read, where decoders return one block.
class Joined : public ByteSource {
 public:
  explicit Joined(ByteSource& inner) : inner_(inner) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    std::size_t done = 0;
    while (done != size) {
      const std::size_t n = *inner_.read(to + done, size - done);
      if (n == 0) break;
      done += n;
    }
    return done;
  }
  PredecodedRuns* predecoded_runs() override { return inner_.predecoded_runs(); }

 private:
  ByteSource& inner_;
};

/// There are more runs than the queue holds, so one line has text, runs and text again.
TEST(PredecodedRuns, MayFollowTextOfTheSameLine) {
  constexpr std::uint64_t kPages = 3 * PredecodedRuns::kMax;
  std::string text = fmt::format(
      "H: 2, page_size=4096\nT: cat, 1, 00000001, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0\n"
      "V: {0:08X}, {1:08X}, {2:08X}, {2:08X}, 00000000, 00000001, NULL, 00000000, 00:00, 0\nP: "
      "{3}, 0, 0, "
      "{3}, 0, 0\nM:",
      0x10000000, 0x10000000 + kPages * 0x1000 - 1, kPages * 0x1000, kPages);
  for (std::uint64_t i = 0; i < kPages; ++i)
    text += fmt::format(" {:08X}={:08X}, 1, 00000868 |", 0x10000000 + i * 0x1000,
                        0x100000 + i * 0x3000);
  text += fmt::format("\nE: 1, 1, {}, 0, 0\n", kPages);
  const std::string compact = compact_of(text);
  const auto source = decoded(text_source(compact), "s");
  Joined joined(**source);
  const Reading reading = read_from(joined);
  EXPECT_EQ(reading.error, "");
  EXPECT_TRUE(reading.events == read(text).events);
}

}  // namespace
}  // namespace physmem
