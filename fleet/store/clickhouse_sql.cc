// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_sql.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace physmem::fleet {
namespace {

/// The letter after a backslash in literals and in TabSeparated; 0: the character has no escape.
char escape_of(char c) {
  switch (c) {
    case '\\':
      return '\\';
    case '\'':
      return '\'';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\0':
      return '0';
    default:
      return 0;
  }
}

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    const char letter = escape_of(c);
    if (letter != 0) out += '\\';
    out += letter != 0 ? letter : c;
  }
}

std::string quoted_literal(std::string_view text) {
  std::string literal = "'";
  append_escaped(literal, text);
  return literal + "'";
}

bool is_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z');
}

std::string_view name_at(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && is_name(text[size])) ++size;
  return text.substr(0, size);
}

class SqlFiller {
 public:
  SqlFiller(std::string_view text, const SqlParameters& parameters)
      : rest_(text), parameters_(parameters) {}

  std::string fill() {
    while (!rest_.empty()) {
      if (!(take_comment() || take_quoted() || take_name() || take_value() || take_part())) take(1);
    }
    return std::move(out_);
  }

 private:
  void take(std::size_t size) {
    out_ += rest_.substr(0, size);
    skip(size);
  }
  void skip(std::size_t size) { rest_.remove_prefix(std::min(size, rest_.size())); }

  bool take_comment() {
    if (!rest_.starts_with("--")) return false;
    skip(rest_.find('\n'));
    return true;
  }

  bool take_quoted() {
    if (rest_[0] != '\'') return false;
    const std::size_t end = rest_.find('\'', 1);
    take(end == rest_.npos ? rest_.size() : end + 1);
    return true;
  }

  bool take_name() {
    if (rest_[0] != '{') return false;
    const auto found = parameters_.names.find(name_at(rest_.substr(1)));
    if (found == parameters_.names.end()) return false;
    out_ += found->second;
    skip(found->first.size() + 2);
    return true;
  }

  bool take_value() {
    if (rest_[0] != ':') return false;
    const auto found = parameters_.values.find(name_at(rest_.substr(1)));
    if (found == parameters_.values.end()) return false;
    out_ += found->second.text();
    skip(found->first.size() + 1);
    return true;
  }

  /// [NAME: PART]: nothing in PART ends in a bracket.
  bool take_part() {
    if (rest_[0] != '[') return false;
    const std::string_view name = name_at(rest_.substr(1));
    const std::size_t end = rest_.find(']');
    if (name.empty() || end == rest_.npos || !rest_.substr(1 + name.size()).starts_with(": "))
      return false;
    const std::size_t begin = name.size() + 3;
    if (parameters_.values.contains(name))
      out_ += SqlFiller(rest_.substr(begin, end - begin), parameters_).fill();
    skip(end + 1);
    return true;
  }

  std::string_view rest_;
  const SqlParameters& parameters_;
  std::string out_;
};

template <class Items, class Append>
std::string list_of(const Items& items, const Append& append) {
  std::string list;
  for (const auto& item : items) {
    if (!list.empty()) list += ',';
    append(list, item);
  }
  return list;
}

void mix(std::array<std::uint64_t, 4>& v) {
  v[0] += v[1];
  v[1] = std::rotl(v[1], 13) ^ v[0];
  v[0] = std::rotl(v[0], 32);
  v[2] += v[3];
  v[3] = std::rotl(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = std::rotl(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = std::rotl(v[1], 17) ^ v[2];
  v[2] = std::rotl(v[2], 32);
}

}  // namespace

SqlLiteral::SqlLiteral(std::string_view text) : text_(quoted_literal(text)) {}

// IN () is an error in SQL: an empty list becomes one that nothing is in.
SqlLiteral::SqlLiteral(const std::vector<std::string>& texts)
    : text_(texts.empty() ? "NULL" : list_of(texts, [](std::string& list, const std::string& text) {
        list += quoted_literal(text);
      })) {}

SqlLiteral::SqlLiteral(const std::vector<std::uint64_t>& numbers)
    : text_(numbers.empty() ? "NULL" : list_of(numbers, [](std::string& list, std::uint64_t n) {
        list += std::to_string(n);
      })) {}

SqlLiteral::SqlLiteral(const std::vector<SnapshotKey>& keys)
    : text_(keys.empty() ? "NULL" : list_of(keys, [](std::string& list, const SnapshotKey& key) {
        list += '(' + std::to_string(key.machine_hash) + ',' + std::to_string(key.second) + ',' +
                std::to_string(key.millisecond) + ')';
      })) {}

std::string filled_sql(std::string_view text, const SqlParameters& parameters) {
  return SqlFiller(text, parameters).fill();
}

std::vector<std::string> sql_statements(std::string_view text) {
  std::vector<std::string> statements;
  const std::string plain = filled_sql(text, {});
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = plain.find(";\n", begin);
    if (end == plain.npos) break;
    const std::size_t first = std::min(plain.find_first_not_of("\n ", begin), end);
    statements.push_back(plain.substr(first, end - first));
    begin = end + 2;
  }
  return statements;
}

void append_tab_separated(std::string& out, std::string_view text) {
  append_escaped(out, text);
}

std::uint64_t sip_hash(std::string_view text) {
  std::array<std::uint64_t, 4> v{0x736f6d6570736575, 0x646f72616e646f6d, 0x6c7967656e657261,
                                 0x7465646279746573};
  const std::uint64_t size = text.size();
  const auto add = [&](std::uint64_t word) {
    v[3] ^= word;
    mix(v);
    mix(v);
    v[0] ^= word;
  };
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    add(word);
  }
  std::uint64_t last = size << 56;
  std::memcpy(&last, text.data(), text.size());
  add(last);
  v[2] ^= 0xff;
  for (int i = 0; i < 4; ++i) mix(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

std::vector<std::uint64_t> hashes_of(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(texts.size());
  for (const std::string& text : texts) hashes.push_back(sip_hash(text));
  return hashes;
}

}  // namespace physmem::fleet
