// SPDX-License-Identifier: MIT
#include "analyzer/cli/ordered_answers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace physmem {
namespace {

using namespace std::chrono_literals;
using Answers = OrderedAnswers<std::string>;

/// A thread that has not come back after this is taken to be waiting.
constexpr auto kLong = 100ms;

std::vector<std::string> take_all(Answers& answers) {
  std::vector<std::string> all;
  std::string one;
  for (Answers::Taken taken{}; taken != Answers::Taken::kNothingMore;) {
    taken = answers.take(one, 1s);
    if (taken == Answers::Taken::kAnswer) all.push_back(one);
  }
  return all;
}

TEST(OrderedAnswers, ComeInTheOrderOfPiecesWhoeverIsFirst) {
  constexpr std::size_t kPieces = 200;
  Answers answers(kPieces, 6);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&answers] {
      while (const auto piece = answers.claim()) {
        std::this_thread::sleep_for(std::chrono::microseconds(*piece * 7919 % 500));
        for (std::size_t i = 0; i < *piece % 4; ++i)
          answers.put(*piece, std::to_string(*piece) + "." + std::to_string(i));
        answers.finish(*piece);
      }
    });
  const auto all = take_all(answers);
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> expected;
  for (std::size_t piece = 0; piece < kPieces; ++piece)
    for (std::size_t i = 0; i < piece % 4; ++i)
      expected.push_back(std::to_string(piece) + "." + std::to_string(i));
  EXPECT_EQ(all, expected);
}

TEST(OrderedAnswers, WaitOnceTooManyPiecesAreOpen) {
  Answers answers(10, 2);
  EXPECT_EQ(answers.claim(), 0u);
  EXPECT_EQ(answers.claim(), 1u);
  answers.put(1, "one");
  answers.finish(1);
  std::atomic<bool> has_claimed = false;
  std::thread third([&] {
    EXPECT_EQ(answers.claim(), 2u);
    has_claimed = true;
  });
  std::this_thread::sleep_for(kLong);
  EXPECT_FALSE(has_claimed) << "piece 1 is finished, but nobody can take it before piece 0";
  answers.finish(0);
  std::string taken;
  EXPECT_EQ(answers.take(taken, 1s), Answers::Taken::kAnswer);
  EXPECT_EQ(taken, "one");
  third.join();
}

TEST(OrderedAnswers, HoldFewOfOnePiece) {
  Answers answers(1, 1);
  answers.claim();
  std::atomic<std::size_t> put = 0;
  std::thread writer([&] {
    for (; put < Answers::kMostOfAPiece + 1; ++put) answers.put(0, "x");
    answers.finish(0);
  });
  std::this_thread::sleep_for(kLong);
  EXPECT_EQ(put, Answers::kMostOfAPiece);
  EXPECT_EQ(take_all(answers).size(), Answers::kMostOfAPiece + 1);
  writer.join();
}

TEST(OrderedAnswers, CanBeStoppedAndStillBeTaken) {
  Answers answers(10, 3);
  answers.claim();
  answers.claim();
  for (std::size_t i = 0; i < Answers::kMostOfAPiece; ++i) answers.put(1, "whole");
  answers.stop();
  EXPECT_TRUE(answers.is_stopped());
  EXPECT_EQ(answers.claim(), std::nullopt);
  answers.put(1, "whole too");  // does not wait
  std::string taken;
  EXPECT_EQ(answers.take(taken, 1ms), Answers::Taken::kNothingYet) << "piece 0 is not finished";
  answers.finish(0);
  answers.finish(1);
  EXPECT_EQ(take_all(answers).size(), Answers::kMostOfAPiece + 1);
}

}  // namespace
}  // namespace physmem
