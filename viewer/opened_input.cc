// SPDX-License-Identifier: MIT
#include "viewer/opened_input.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "analyzer/parse/input_kind.h"

namespace physmem::view {
namespace {

constexpr std::size_t kLookAt = 65536;

/// Returns the bytes read for detection first.
class LookedInto : public ByteSource {
 public:
  LookedInto(std::string head, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}

  Result<std::size_t> read(char* to, std::size_t size) override {
    const std::size_t n = std::min(size, head_.size() - at_);
    if (n == 0) return rest_->read(to, size);
    std::memcpy(to, head_.data() + at_, n);
    at_ += n;
    return n;
  }

 private:
  std::string head_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

Result<OpenedInput> look_into(std::unique_ptr<ByteSource> source) {
  std::string head(kLookAt, '\0');
  std::size_t n = 0;
  while (n < kDecidingBytes) {
    const auto got = source->read(head.data() + n, head.size() - n);
    if (!got) return got.error();
    if (*got == 0) break;
    n += *got;
  }
  head.resize(n);
  const bool is_trace = begins_trace(head), is_snapshot = begins_snapshot(head);
  return OpenedInput{std::make_unique<LookedInto>(std::move(head), std::move(source)), is_trace,
                     is_snapshot};
}

}  // namespace physmem::view
