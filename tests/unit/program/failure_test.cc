// SPDX-License-Identifier: MIT
#include "program/failure.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <stdexcept>

namespace physmem {
namespace {

TEST(CatchExceptions, ReturnsResultOfWork) {
  const Result<int> seven = catch_exceptions([] { return Result<int>(7); });
  ASSERT_TRUE(seven);
  EXPECT_EQ(*seven, 7);
}

TEST(CatchExceptions, MakesExceptionAnError) {
  const Status status = catch_exceptions([]() -> Status { throw std::runtime_error("a bug"); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, Error::Kind::kIo);
  EXPECT_EQ(status.error().text, "cannot go on: a bug");
}

Exit print_and_end(const Error& error) {
  ::write(STDERR_FILENO, error.text.data(), error.text.size()) > 0 ? void() : std::abort();
  return Exit::kDataMissing;
}

TEST(FailDeathTest, PrintsErrorWithoutOnFailure) {
  EXPECT_EXIT(fail("std::bad_alloc"), testing::ExitedWithCode(4),
              ": cannot go on: std::bad_alloc\n$");
}

TEST(FailDeathTest, ExitsWithStatusOfEnd) {
  const OnFailure on_failure(print_and_end);
  EXPECT_EXIT(fail("std::bad_alloc"), testing::ExitedWithCode(5), "^cannot go on: std::bad_alloc$");
}

TEST(FailDeathTest, CallsInnermostEndOnly) {
  const OnFailure outer([](const Error& /*error*/) { return Exit::kAlerts; });
  const OnFailure inner(print_and_end);
  EXPECT_EXIT(fail("a bug"), testing::ExitedWithCode(5), "^cannot go on: a bug$");
}

TEST(FailDeathTest, CallsOuterEndAfterInnerScope) {
  const OnFailure outer(print_and_end);
  {
    const OnFailure inner([](const Error& /*error*/) { return Exit::kAlerts; });
  }
  EXPECT_EXIT(fail("a bug"), testing::ExitedWithCode(5), "^cannot go on: a bug$");
}

TEST(FailDeathTest, PrintsErrorIfEndFailsToo) {
  const OnFailure on_failure([](const Error& /*error*/) -> Exit { fail("again"); });
  EXPECT_EXIT(fail("first"), testing::ExitedWithCode(4), ": cannot go on: again\n$");
}

}  // namespace
}  // namespace physmem
