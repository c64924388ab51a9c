// SPDX-License-Identifier: MIT
#include "analyzer/parse/keyed_source.h"

#include <algorithm>
#include <cstring>

namespace physmem {

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
  if (done == 0 && ends_snapshot()) end_line();  // the last line has no newline
  return done;
}

bool KeyedSource::ends_snapshot() const {
  return line_.size() == 2 && line_[0] == 'E' && line_[1] == ':';
}

void KeyedSource::end_line() {
  if (ends_snapshot()) keys_.push_back(hex_of(digest_.finish()));
  line_.clear();
}

/// A snapshot ends after the line that begins with E and a colon.
void KeyedSource::add(std::string_view text) {
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    const std::size_t taken = newline == text.npos ? text.size() : newline + 1;
    const std::string_view piece = text.substr(0, taken);
    line_ += piece.substr(0, std::min(piece.size(), 2 - line_.size()));
    digest_.add(piece);
    if (newline != text.npos) end_line();
    text.remove_prefix(taken);
  }
}

std::string KeyedSource::take_key() {
  if (keys_.empty()) return "";
  std::string key = std::move(keys_.front());
  keys_.pop_front();
  return key;
}

}  // namespace physmem
