// SPDX-License-Identifier: MIT
// Entries that come beside the text are those that are not in it.
#include "analyzer/parse/predecoded_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/compact/compact_text.h"

namespace physmem {
namespace {

const std::string kLines =
    "V: 10000000, 1000AFFF, 0000B000, 00003000\n"
    "M: 10000000=00001000, 1, 00000868 | 10001000=00002000, 1, 00000868 | 10005000=00009000, 2, "
    "00000868 |\n"
    "X: 1M: 10000000=00001000, 1, 00000868 |\n";

struct Beside {
  std::string text;
  std::string runs;
  std::uint64_t bytes = 0;  ///< of text that the runs would be
};

/// All of the text, then all runs, where they are.
Beside read_beside(const std::string& text) {
  const std::string compact = compact_of(text);
  auto source = decoded(text_source(compact), "s");
  (*source)->predecoded_runs()->want();
  Beside beside;
  std::string piece(1 << 20, ' ');
  while (const std::size_t n = *(*source)->read(piece.data(), piece.size()))
    beside.text.append(piece, 0, n);
  PageBatch batch;
  for (std::uint64_t at = 0; at <= beside.text.size(); ++at) {
    for (std::uint64_t bytes = 1; bytes != 0; beside.bytes += bytes) {
      batch.clear();
      bytes = (*source)->predecoded_runs()->take(at, batch);
      for (const PageRun& run : batch.runs())
        beside.runs += fmt::format("{}:{:X}={:X}+{} ", at, run.va, run.value, run.pages);
    }
  }
  return beside;
}

TEST(PredecodedRuns, AreNotInTheText) {
  const Beside beside = read_beside(kLines);
  EXPECT_EQ(
      beside.text,
      "V: 10000000, 1000AFFF, 0000B000, 00003000\nM:\nX: 1M: 10000000=00001000, 1, 00000868 |\n")
      << "only a line M: has entries";
  EXPECT_EQ(beside.runs, "44:10000000=1000+2 44:10005000=9000+1 ");
  EXPECT_EQ(beside.text.size() + beside.bytes, kLines.size());
}

TEST(PredecodedRuns, AreInTheTextForWhoDoesNotWantThem) {
  const std::string compact = compact_of(kLines);
  auto source = decoded(text_source(compact), "s");
  std::string text(kLines.size(), ' ');
  EXPECT_EQ(*(*source)->read(text.data(), text.size()), kLines.size());
  EXPECT_EQ(text, kLines);
}

TEST(PredecodedRuns, GoDownPageByPage) {
  const Beside beside = read_beside(
      "H: 2\nM: 10000000=00003000, 1, 00000868 | 10001000=00002000, 1, 00000868 | "
      "10002000=00001000, 1, "
      "00000868 |\n");
  EXPECT_EQ(beside.runs, "7:10000000=3000+1 7:10001000=2000+1 7:10002000=1000+1 ");
}

/// Pages of another size than the batch has: entries are what they are.
TEST(PredecodedRuns, AreEntriesWhereTheirPagesAreOthers) {
  const Beside beside = read_beside(
      "H: 2, page_size=16384\nM: 10000000=00004000, 1, 00000868 | 10004000=00008000, 1, 00000868 "
      "|\n");
  EXPECT_EQ(beside.runs, "24:10000000=4000+1 24:10004000=8000+1 ");
}

TEST(PredecodedRuns, ThatNobodyTakesAreFew) {
  std::string text = "H: 2\nM:";
  for (std::uint64_t i = 0; i < 2 * PredecodedRuns::kMax; ++i)
    text += fmt::format(" {:08X}={:08X}, 1, 00000868 |", 0x10000000 + i * 0x1000,
                        0x100000 + i * 0x3000);
  text += "\n";
  const Beside beside = read_beside(text);
  EXPECT_GT(beside.text.size(), text.size() / 3) << "the others are in the text";
  EXPECT_GT(beside.bytes, text.size() / 3);
  EXPECT_EQ(beside.text.size() + beside.bytes, text.size());
}

/// What is said of a text behind its last snapshot.
std::string problem_behind(ByteSource& source) {
  SnapshotReader reader(source, "s", {.keep_going = true});
  EventText events;
  while (*reader.next(events)) continue;
  return reader.notes().first_problem;
}

/// However long it is: 40000 entries are more than a line may have that is looked at as a whole.
TEST(PredecodedRuns, MakeNoDifferenceBehindTheEnd) {
  std::string text = std::string(kSample) + "M:";
  for (int i = 0; i < 40000; ++i)
    text += fmt::format(" {:08X}=00001000, 1, 00000868 |", 0x10000000 + i * 0x1000);
  text += "\n";
  const std::string expected = problem_behind(*text_source(text));
  EXPECT_NE(expected.find("found \"M:\" after the end"), std::string::npos) << expected;
  const std::string compact = compact_of(text);
  EXPECT_EQ(problem_behind(**decoded(text_source(compact), "s")), expected);
}

/// Gives as much as there is room for, where decoders give a block.
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

/// More runs than there is room for: text, runs and text again in one line.
TEST(PredecodedRuns, StandBehindTextOfTheirLine) {
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
