// SPDX-License-Identifier: MIT
// A source that a separate thread reads gives the same bytes and the same end.
#include "analyzer/parse/read_ahead.h"
#include "analyzer/parse/open_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace physmem {
namespace {

/// `size` bytes in pieces of `piece`, then the end or an error. Adjacent bytes differ.
class Counting : public ByteSource {
 public:
  Counting(std::size_t size, std::size_t piece, bool is_broken)
      : size_(size), piece_(piece), is_broken_(is_broken) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    if (at_ == size_ && is_broken_) return Error{Error::Kind::kIo, "disk: cannot read"};
    const std::size_t n = std::min({size, piece_, size_ - at_});
    for (std::size_t i = 0; i < n; ++i) to[i] = byte(at_++);
    return n;
  }
  static char byte(std::size_t at) { return static_cast<char>(at * 167 + at / 251); }

 private:
  std::size_t size_;
  std::size_t piece_;
  bool is_broken_;
  std::size_t at_ = 0;
};

struct Got {
  std::size_t bytes = 0;
  bool is_same = true;
  std::string error;
};

Got read_all(ByteSource& source, std::size_t piece) {
  Got got;
  std::string buffer(piece, '\0');
  while (true) {
    const auto n = source.read(buffer.data(), buffer.size());
    if (!n) got.error = n.error().text;
    if (!n || *n == 0) return got;
    for (std::size_t i = 0; i < *n; ++i) got.is_same &= buffer[i] == Counting::byte(got.bytes + i);
    got.bytes += *n;
  }
}

TEST(ReadAhead, GivesTheSameBytes) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kReadAhead, 5 * kReadAhead + 17})
    for (const std::size_t piece : {std::size_t{1000}, std::size_t{1} << 30}) {
      const auto source = read_ahead(std::make_unique<Counting>(size, piece, false));
      const Got got = read_all(*source, 300'000);
      EXPECT_EQ(got.bytes, size);
      EXPECT_TRUE(got.is_same);
      EXPECT_EQ(got.error, "");
      EXPECT_EQ(read_all(*source, 10).bytes, 0u) << "the end is permanent";
    }
}

TEST(ReadAhead, GivesAnErrorAfterTheBytesBeforeIt) {
  const auto source = read_ahead(std::make_unique<Counting>(kReadAhead + 5, 4096, true));
  const Got got = read_all(*source, 100'000);
  EXPECT_EQ(got.bytes, kReadAhead + 5);
  EXPECT_TRUE(got.is_same);
  EXPECT_EQ(got.error, "disk: cannot read");
  EXPECT_EQ(read_all(*source, 10).error, "disk: cannot read") << "the second time too";
}

TEST(ReadAhead, ClosesBeforeTheEndOfItsSource) {
  const auto source = read_ahead(std::make_unique<Counting>(100 * kReadAhead, 1 << 30, false));
  std::array<char, 10> some{};
  ASSERT_TRUE(source->read(some.data(), some.size()));
}

/// The pipe stays open, and no more bytes are written to it.
TEST(ReadAhead, ClosesWhileItsSourceWaits) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_EQ(write(ends[1], "H: 2, ", 6), 6);
  {
    const auto source = open_source("/proc/self/fd/" + std::to_string(ends[0]), Undo::kAll, true);
    ASSERT_TRUE(source);
    std::array<char, 100> some{};
    const auto n = (*source)->read(some.data(), some.size());
    ASSERT_TRUE(n);
    EXPECT_EQ(std::string(some.data(), *n), "H: 2, ");
  }
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace physmem
