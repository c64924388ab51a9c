// SPDX-License-Identifier: MIT
// The compact form restores any text, for any sizes of the pieces that are written and read.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "analyzer/parse/decoded_source.h"
#include "formats/compact/checksum.h"
#include "formats/compact/decoder.h"
#include "formats/compact/format.h"
#include "formats/compact/number.h"
#include "tests/property/snapshot_writing.h"
#include "tests/unit/formats/compact/compact_text.h"

namespace physmem {
namespace {

class CompactForm : public testing::Test {
 protected:
  /// Calls check(seed) for many seeds. Stops at the first seed that fails and prints it.
  template <class Check>
  void for_many(std::uint64_t rounds, Check check) {
    for (std::uint64_t seed = first_seed(); seed < first_seed() + rounds && !HasFailure(); ++seed) {
      SCOPED_TRACE("PHYSMEM_PROPERTY_SEED=" + std::to_string(seed));
      check(seed);
    }
  }
  static void expect_same(const std::string& text, std::mt19937_64& random) {
    const std::string compact = compact_of(text, 1 + random() % 3000);
    const Decoded decoded = decode_text(compact, 1 + random() % 70000, 1 + random() % 300);
    EXPECT_EQ(decoded.error, "");
    EXPECT_TRUE(decoded.text == text);
  }
};

TEST_F(CompactForm, RestoresSnapshots) {
  for_many(40, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text = emitted(random_snapshot(seed));
    if (seed % 3 == 0) text += emitted(random_snapshot(seed)) + emitted(random_snapshot(seed + 1));
    if (seed % 5 == 0) text += as_version_1(random_snapshot(seed, Version::k1));
    expect_same(text, random);
  });
}

TEST_F(CompactForm, RestoresDamagedSnapshots) {
  for_many(40, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text = emitted(random_snapshot(seed));
    for (std::uint64_t n = 1 + random() % 50; n != 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text[at] = static_cast<char>(random());
      else if (random() % 2 == 0)
        text.erase(at, random() % 60);
      else
        text.insert(at, text.substr(random() % text.size(), random() % 200));
    }
    expect_same(text, random);
  });
}

TEST_F(CompactForm, RestoresTextOfRandomLineFragments) {
  constexpr const char* kPieces[] = {"M:",
                                     "S:",
                                     "T: ",
                                     "V: ",
                                     "H: 2",
                                     "\n",
                                     ", ",
                                     " |",
                                     "=",
                                     ":",
                                     "00001000",
                                     "0000F000",
                                     "FFFFFFFFF000",
                                     "1",
                                     "0",
                                     ", page_size=65536",
                                     " 00001000=00002000, 1, 00000001 |",
                                     " 00002000=00003000, 1, 00000001 |",
                                     " 00001000=0:00000007 |",
                                     "name",
                                     "\r",
                                     " "};
  for_many(60, [&](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text;
    for (std::uint64_t n = random() % 3000; n != 0; --n)
      text += kPieces[random() % std::size(kPieces)];
    expect_same(text, random);
  });
}

/// Generates blocks that no writer produces, with correct lengths and checksums.
class RandomBlocks {
 public:
  explicit RandomBlocks(std::uint64_t seed) : random_(seed) {}

  std::string file() {
    std::string file;
    for (std::uint64_t streams = 1 + pick(3); streams != 0; --streams) {
      file += compact::kMagic;
      decoder_ = {};
      sum_ = 0;
      for (std::uint64_t blocks = 1 + pick(4); blocks != 0; --blocks) put_block(file, payload());
      put_head(file, "", 0);
    }
    return file;
  }

 private:
  std::uint64_t pick(std::uint64_t n) { return random_() % n; }
  std::uint64_t any() { return random_() >> pick(64); }
  static void number(std::string& to, std::uint64_t value) { compact::put_number(to, value); }
  static void raw(std::string& to, const std::string& text) {
    to += static_cast<char>(compact::kRaw);
    number(to, text.size());
    to += text;
  }

  std::string payload() {
    std::string items;
    for (std::uint64_t n = 1 + pick(12); n != 0; --n) item(items);
    return items;
  }
  void item(std::string& to) {
    if (!std::exchange(has_header_, true)) return header(to);
    switch (pick(12)) {
      case 0:
        has_header_ = pick(4) == 0;
        return raw(to, "E: 1, 2, 3, 0, 0\n");
      case 1:
        return raw(to, pick(2) == 0 ? "X: 1" : "\n");
      case 2:
        return to += static_cast<char>(pick(2) == 0 ? compact::kResident : compact::kSwapped),
               void();
      case 3:
        return run(to);
      case 4:
        return raw(to, " 10000000=0, 1, 0 |");
      default:
        return area(to);
    }
  }
  void header(std::string& to) {
    raw(to, fmt::format("H: 2, page_size={}, phys_mask=000FFFFFFFFFF000\n",
                        pick(4) == 0 ? 16384 : 4096));
    if (pick(4) != 0) return;
    to += static_cast<char>(compact::kPageShift);
    number(to, pick(17));
  }
  /// A process with one VMA. Its runs continue where the previous ones ended.
  void area(std::string& to) {
    ++processes_;
    raw(to, fmt::format("T: cat, {0}, {0:08X}, 0, 0, 0, 0, 0, 0, 0, {0}, 1, 1, 0\n"
                        "V: 00000000, FFFFFFFFFFF, 100000000000, 00000000, 00000000, 00000001, "
                        "NULL, 00000000, 00:00, 0\n"
                        "P: 0, 0, 0, 0, 0, 0\n",
                        processes_));
    to += static_cast<char>(compact::kResident);
    for (std::uint64_t runs = pick(16) == 0 ? 600 : pick(12); runs != 0; --runs) run(to);
    to += static_cast<char>(compact::kListEnd);
  }
  void run(std::string& to) {
    std::uint8_t head = compact::kRun;
    std::string rest;
    if (pick(4) == 0) head |= compact::kGap, number(rest, pick(40) == 0 ? any() : pick(3));
    if (pick(2) == 0) head |= compact::kJump, number(rest, pick(8) == 0 ? any() : pick(1 << 20));
    if (pick(4) == 0) {
      head |= compact::kOtherUse;
      for (const std::uint64_t part :
           {std::uint64_t{0}, pick(4), pick(4) == 0 ? any() : 0x868, pick(9), pick(9)})
        number(rest, part);
    }
    if (pick(4) == 0) head |= compact::kDown;
    const std::uint64_t more = pick(4) != 0 ? 0 : pick(16) == 0 ? pick(1000) : pick(12);
    head |= static_cast<std::uint8_t>(std::min(more, compact::kMorePages) << compact::kPagesBits);
    if (more >= compact::kMorePages) number(rest, more - compact::kMorePages);
    to += static_cast<char>(head);
    to += rest;
  }

  /// Declares as many bytes of text as the items decode to, at least 1.
  void put_block(std::string& file, const std::string& payload) {
    std::vector<char> text(compact::kMaxText + compact::Decoder::kSlack);
    compact::Decoder measuring = decoder_;
    measuring.decode(payload, text.data(), compact::kMaxText);
    const std::size_t bytes = std::max<std::size_t>(measuring.produced(), 1);
    decoder_.decode(payload, text.data(), bytes);
    put_head(file, payload, bytes);
    file += payload;
  }
  void put_head(std::string& file, std::string_view payload, std::size_t text_bytes) {
    char head[compact::kHeadBytes];
    sum_ = compact::block_checksum(sum_, static_cast<std::uint32_t>(text_bytes), payload);
    compact::put_word(head, static_cast<std::uint32_t>(payload.size()));
    compact::put_word(head + 4, static_cast<std::uint32_t>(text_bytes));
    compact::put_word(head + 8, sum_);
    file.append(head, sizeof head);
  }

  std::mt19937_64 random_;
  compact::Decoder decoder_;
  std::uint32_t sum_ = 0;
  std::uint64_t processes_ = 0;
  bool has_header_ = false;
};

TEST_F(CompactForm, WithRandomItemsIsReadLikeItsText) {
  std::uint64_t pages = 0;
  for_many(2000, [&](std::uint64_t seed) {
    const std::string file = RandomBlocks(seed).file();
    for (const bool keep_going : {false, true}) {
      const Reading strict = read_from(**decoded(text_source(file), "s"),
                                       {.keep_going = keep_going, .is_strict = true});
      const Reading reading =
          read_from(**decoded(text_source(file), "s"), {.keep_going = keep_going});
      EXPECT_EQ(reading.error, strict.error);
      EXPECT_TRUE(reading.events == strict.events);
      EXPECT_EQ(reading.notes.first_problem, strict.notes.first_problem);
      EXPECT_EQ(reading.notes.dropped_lines, strict.notes.dropped_lines);
      for (std::size_t at = 0; (at = strict.events.find("\npage ", at)) != std::string::npos; ++at)
        ++pages;
    }
  });
  EXPECT_GT(pages, 10000u) << "not all are damaged at their beginning";
}

TEST_F(CompactForm, RestoresRandomBytes) {
  for_many(20, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text(random() % 100000, '\0');
    for (char& c : text) c = static_cast<char>(random());
    expect_same(text, random);
  });
}

TEST_F(CompactForm, ReportsAnErrorForEachChangedByte) {
  for_many(40, [](std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::string text = emitted(random_snapshot(seed));
    const std::string good = compact_of(text);
    for (int i = 0; i < 20; ++i) {
      std::string bad = good;
      const std::size_t at = compact::kFamily + random() % (bad.size() - compact::kFamily);
      bad[at] = static_cast<char>(bad[at] + 1 + static_cast<int>(random() % 255));
      EXPECT_NE(decode_text(bad).error, "") << "byte " << at;
    }
  });
}

}  // namespace
}  // namespace physmem
