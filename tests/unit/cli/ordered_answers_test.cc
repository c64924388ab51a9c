// SPDX-License-Identifier: MIT
#include "analyzer/many/ordered_answers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace physmem {
namespace {

using namespace std::chrono_literals;
using Answers = OrderedAnswers<std::string>;

/// Longer than any machine takes. Never reached, because the threads of these tests never stop.
constexpr auto kTimeout = 60s;

std::vector<std::string> take_all(Answers& answers) {
  std::vector<std::string> all;
  std::string one;
  for (Answers::Taken taken{}; taken != Answers::Taken::kNothingMore;) {
    taken = answers.take(one, kTimeout);
    if (taken == Answers::Taken::kAnswer) all.push_back(one);
  }
  return all;
}

TEST(OrderedAnswers, ReturnsAnswersByPieceIfPutInReverse) {
  Answers answers(3, 3);
  for (int i = 0; i < 3; ++i) answers.claim();
  for (const std::size_t piece : {2, 1, 0}) {
    answers.put(piece, std::to_string(piece) + ".0");
    answers.put(piece, std::to_string(piece) + ".1");
    answers.finish(piece);
  }
  EXPECT_EQ(take_all(answers),
            (std::vector<std::string>{"0.0", "0.1", "1.0", "1.1", "2.0", "2.1"}));
}

TEST(OrderedAnswers, ReturnsAnswersByPieceIfPutByThreeThreads) {
  constexpr std::size_t kPieces = 200;
  Answers answers(kPieces, 6);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&answers] {
      while (const auto piece = answers.claim()) {
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

// Piece 1 is finished but cannot be taken before piece 0, so two pieces are still open.
TEST(OrderedAnswers, BlocksClaimWhileTooManyPiecesAreOpen) {
  Answers answers(10, 2);
  EXPECT_EQ(answers.claim(), 0u);
  EXPECT_EQ(answers.claim(), 1u);
  answers.put(1, "one");
  answers.finish(1);
  std::thread third([&] { EXPECT_EQ(answers.claim(), 2u); });
  answers.wait_for_waiters(1);
  answers.finish(0);
  std::string taken;
  EXPECT_EQ(answers.take(taken, kTimeout), Answers::Taken::kAnswer);
  EXPECT_EQ(taken, "one");
  third.join();
}

TEST(OrderedAnswers, BlocksThreadThatPutsTooManyAnswersOfOnePiece) {
  Answers answers(1, 1);
  answers.claim();
  std::atomic<std::size_t> put = 0;
  std::thread writer([&] {
    for (; put < Answers::kMaxOfAPiece + 1; ++put) answers.put(0, "x");
    answers.finish(0);
  });
  answers.wait_for_waiters(1);
  EXPECT_EQ(put, Answers::kMaxOfAPiece);
  EXPECT_EQ(take_all(answers).size(), Answers::kMaxOfAPiece + 1);
  writer.join();
}

TEST(OrderedAnswers, ReturnsRemainingAnswersAfterStop) {
  Answers answers(10, 3);
  answers.claim();
  answers.claim();
  for (std::size_t i = 0; i < Answers::kMaxOfAPiece; ++i) answers.put(1, "whole");
  answers.stop();
  EXPECT_TRUE(answers.is_stopped());
  EXPECT_EQ(answers.claim(), std::nullopt);
  answers.put(1, "whole too");  // does not block
  std::string taken;
  EXPECT_EQ(answers.take(taken, 0ms), Answers::Taken::kNothingYet) << "piece 0 is not finished";
  answers.finish(0);
  answers.finish(1);
  EXPECT_EQ(take_all(answers).size(), Answers::kMaxOfAPiece + 1);
}

}  // namespace
}  // namespace physmem
