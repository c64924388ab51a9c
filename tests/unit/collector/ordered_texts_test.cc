// SPDX-License-Identifier: MIT
#include "collector-proc/ordered_texts.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <thread>

namespace physmem::collect {
namespace {

using namespace std::chrono_literals;

std::string take_all(OrderedTexts& texts, std::size_t number) {
  std::string all;
  while (auto piece = texts.take(number)) {
    all += *piece;
    texts.give_back(std::move(*piece));
  }
  return all;
}

TEST(OrderedTexts, AreTakenInTheirOrderWhoeverWasFirst) {
  OrderedTexts texts(3, 100);
  EXPECT_EQ(texts.write(2, "third"), 0);
  EXPECT_EQ(texts.write(1, "sec"), 0);
  texts.end(2, Done{});
  EXPECT_EQ(texts.write(0, "first"), 0);
  EXPECT_EQ(texts.write(1, "ond"), 0);
  texts.end(0, Done{});
  texts.end(1, Done{});
  EXPECT_EQ(take_all(texts, 0), "first");
  EXPECT_EQ(take_all(texts, 1), "second");
  EXPECT_EQ(take_all(texts, 2), "third");
}

TEST(OrderedTexts, TellHowTheyEnded) {
  OrderedTexts texts(2, 100);
  texts.end(0, Done{});
  texts.end(1, Error{ExitStatus::kBadInput, "what"});
  EXPECT_EQ(take_all(texts, 0), "");
  EXPECT_TRUE(texts.status(0));
  EXPECT_EQ(take_all(texts, 1), "");
  EXPECT_EQ(texts.status(1).error().text, "what");
}

// Ten bytes may wait: who comes second with more than that waits until the first text is taken.
TEST(OrderedTexts, WhoIsTooFarAheadWaits) {
  OrderedTexts texts(2, 10);
  std::atomic<int> written = 0;
  std::jthread ahead([&] {
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(texts.write(1, "12345"), 0);
      ++written;
    }
    texts.end(1, Done{});
  });
  while (written < 2) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(written, 2);
  EXPECT_EQ(texts.write(0, "the turn is never held up, however long its piece"), 0);
  texts.end(0, Done{});
  EXPECT_EQ(take_all(texts, 0), "the turn is never held up, however long its piece");
  EXPECT_EQ(take_all(texts, 1), "12345123451234512345");
}

// It has one piece of any length there; the next waits until that is taken.
TEST(OrderedTexts, TheTurnIsAtMostOnePieceAhead) {
  OrderedTexts texts(1, 1);
  std::atomic<int> written = 0;
  std::jthread writer([&] {
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(texts.write(0, "long"), 0);
      ++written;
    }
    texts.end(0, Done{});
  });
  while (written < 1) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(written, 1);
  EXPECT_EQ(take_all(texts, 0), "longlonglong");
}

TEST(OrderedTexts, StoppingWakesWhoWaits) {
  OrderedTexts texts(2, 1);
  std::jthread ahead([&] { EXPECT_EQ(texts.write(1, "much too long"), ECANCELED); });
  std::jthread taker([&] { EXPECT_EQ(texts.take(0), std::nullopt); });
  std::this_thread::sleep_for(10ms);
  texts.stop();
  ahead.join();
  taker.join();
  EXPECT_EQ(texts.write(0, "x"), ECANCELED);
  EXPECT_FALSE(texts.status(0));
}

}  // namespace
}  // namespace physmem::collect
