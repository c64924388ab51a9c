// SPDX-License-Identifier: MIT
// The output buffer of the emitter: when it is flushed, and how an error of flush() is handled.
#include <gtest/gtest.h>

#include <vector>

#include "tests/emitted_text.h"

namespace physmem {
namespace {

/// A destination that counts flushes, and fails from flush number `fail_from` on.
struct Destination {
  std::string text;
  int flushes = 0;
  int fail_from = 1 << 30;

  static int flush(void* to, const char* text, std::size_t size) {
    auto* self = static_cast<Destination*>(to);
    if (++self->flushes >= self->fail_from) return -28;
    self->text.append(text, size);
    return 0;
  }
};

void write_much(pm_out* out) {
  const std::string unit(300, '\n');
  pm_vma vma{};
  vma.last = ~std::uint64_t{0} - 1;
  vma.unit = text_of(unit);
  pm_emit_vma(out, &vma);
  pm_emit_pages_begin(out);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const pm_page page{i << 40, i << 52, i << 33, i << 26};
    pm_emit_pages(out, &page, 1);
  }
  pm_emit_pages_end(out);
}

TEST(EmitBuffer, WritesTheSameTextThroughBuffersOfEverySize) {
  const std::string whole = emitted_by(write_much, 1 << 20);
  EXPECT_GT(whole.size(), 4000u);
  for (std::size_t size = PM_OUT_MIN; size < PM_OUT_MIN + 200; ++size)
    ASSERT_EQ(emitted_by(write_much, size), whole) << size;
}

TEST(EmitBuffer, KeepsShortTextUntilFlush) {
  Destination destination;
  std::vector<char> buffer(PM_OUT_MIN);
  pm_out out{buffer.data(), buffer.size(), 0, Destination::flush, &destination, 0};
  const pm_end end{};
  pm_emit_end(&out, &end);
  EXPECT_EQ(destination.flushes, 0);
  EXPECT_EQ(pm_out_flush(&out), 0);
  EXPECT_EQ(destination.text, "E: 0, 0, 0, 0, 0\n");
  EXPECT_EQ(pm_out_flush(&out), 0);
  EXPECT_EQ(destination.flushes, 1) << "an empty buffer is not flushed";
}

TEST(EmitBuffer, KeepsTheFirstErrorAndDiscardsLaterText) {
  Destination destination;
  destination.fail_from = 3;
  std::vector<char> buffer(PM_OUT_MIN);
  pm_out out{buffer.data(), buffer.size(), 0, Destination::flush, &destination, 0};
  write_much(&out);
  EXPECT_EQ(pm_out_flush(&out), -28);
  EXPECT_EQ(destination.flushes, 3) << "flush() is not called again after an error";
  EXPECT_EQ(destination.text, emitted_by(write_much).substr(0, destination.text.size()))
      << "the destination received a prefix of the text";
}

}  // namespace
}  // namespace physmem
