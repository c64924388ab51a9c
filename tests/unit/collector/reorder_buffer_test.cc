// SPDX-License-Identifier: MIT
#include "collector-proc/reorder_buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>

namespace physmem::collect {
namespace {

std::string take_all(ReorderBuffer& texts, std::size_t number) {
  std::string all;
  while (auto piece = texts.take(number)) {
    all += *piece;
    texts.give_back(std::move(*piece));
  }
  return all;
}

TEST(ReorderBuffer, ReturnsTextsInOrderRegardlessOfWrites) {
  ReorderBuffer texts(3, 100);
  EXPECT_EQ(texts.write(2, "third"), 0);
  EXPECT_EQ(texts.write(1, "sec"), 0);
  texts.end(2, {});
  EXPECT_EQ(texts.write(0, "first"), 0);
  EXPECT_EQ(texts.write(1, "ond"), 0);
  texts.end(0, {});
  texts.end(1, {});
  EXPECT_EQ(take_all(texts, 0), "first");
  EXPECT_EQ(take_all(texts, 1), "second");
  EXPECT_EQ(take_all(texts, 2), "third");
}

TEST(ReorderBuffer, KeepsStatusOfEachText) {
  ReorderBuffer texts(2, 100);
  texts.end(0, {});
  texts.end(1, Error{Error::Kind::kBadInput, "what"});
  EXPECT_EQ(take_all(texts, 0), "");
  EXPECT_TRUE(texts.status(0));
  EXPECT_EQ(take_all(texts, 1), "");
  EXPECT_EQ(texts.status(1).error().text, "what");
}

// Ten bytes may be queued. The writer of the second text blocks on its third piece until the first
// text is taken.
TEST(ReorderBuffer, BlocksWriterThatIsTooFarAhead) {
  ReorderBuffer texts(2, 10);
  std::atomic<int> written = 0;
  std::jthread ahead([&] {
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(texts.write(1, "12345"), 0);
      ++written;
    }
    texts.end(1, {});
  });
  texts.wait_for_waiters(1);
  EXPECT_EQ(written, 2);
  EXPECT_EQ(texts.write(0, "a piece of the first text never blocks, however long it is"), 0);
  texts.end(0, {});
  EXPECT_EQ(take_all(texts, 0), "a piece of the first text never blocks, however long it is");
  EXPECT_EQ(take_all(texts, 1), "12345123451234512345");
}

// The text that is next may queue one piece of any length. Its next piece waits until that one is
// taken.
TEST(ReorderBuffer, BlocksCurrentWriterAfterOneLongPiece) {
  ReorderBuffer texts(1, 1);
  std::atomic<int> written = 0;
  std::jthread writer([&] {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(texts.write(0, "long"), 0);
      ++written;
    }
    texts.end(0, {});
  });
  texts.wait_for_waiters(1);
  EXPECT_EQ(written, 1);
  EXPECT_EQ(take_all(texts, 0), "longlonglong");
}

TEST(ReorderBuffer, WakesEveryWaiterWhenStopped) {
  ReorderBuffer texts(2, 1);
  std::jthread ahead([&] { EXPECT_EQ(texts.write(1, "much too long"), ECANCELED); });
  std::jthread taker([&] { EXPECT_EQ(texts.take(0), std::nullopt); });
  texts.wait_for_waiters(2);
  texts.stop();
  ahead.join();
  taker.join();
  EXPECT_EQ(texts.write(0, "x"), ECANCELED);
  ASSERT_FALSE(texts.status(0));
  EXPECT_EQ(texts.status(0).error().kind, Error::Kind::kIo);
}

}  // namespace
}  // namespace physmem::collect
