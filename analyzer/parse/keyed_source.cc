// SPDX-License-Identifier: MIT
#include "analyzer/parse/keyed_source.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace physmem {

std::string_view SnapshotEnds::next(std::string_view& text, bool& ends) {
  const std::size_t newline = text.find('\n');
  const std::string_view piece = text.substr(0, newline == text.npos ? newline : newline + 1);
  line_ += piece.substr(0, std::min(piece.size(), 2 - line_.size()));
  text.remove_prefix(piece.size());
  ends = newline != text.npos && finish();
  return piece;
}

bool SnapshotEnds::finish() {
  return std::exchange(line_, {}) == "E:";
}

Result<std::size_t> KeyedSource::read(char* to, std::size_t size) {
  if (!is_begun_) left_ = inner_.text();
  const bool is_mapped = inner_.text().data() != nullptr;
  is_begun_ = true;
  std::size_t done = 0;
  if (is_mapped) {
    done = std::min(size, left_.size());
    std::memcpy(to, left_.data(), done);
    left_.remove_prefix(done);
    inner_.release(inner_.text().size() - left_.size());
    if (Status status = inner_.state(); !status) return status.error();
  } else {
    const auto n = inner_.read(to, size);
    if (!n) return n.error();
    done = *n;
  }
  add({to, done});
  if (done == 0 && ends_.finish()) end_snapshot();
  return done;
}

void KeyedSource::add(std::string_view text) {
  while (!text.empty()) {
    bool ends = false;
    digest_.add(ends_.next(text, ends));
    if (ends) end_snapshot();
  }
}

std::string KeyedSource::take_key() {
  if (keys_.empty()) return "";
  std::string key = std::move(keys_.front());
  keys_.pop_front();
  return key;
}

}  // namespace physmem
