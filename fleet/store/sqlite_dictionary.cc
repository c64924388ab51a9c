// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_dictionary.h"

#include "fleet/store/sqlite_text_sweep.h"

namespace physmem::fleet {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
constexpr std::size_t kBytesOfEntry = 64;  ///< bytes of an entry besides its text

}  // namespace

Status SqliteDictionary::begin() {
  if (use_ == nullptr) return {};
  const auto sweep = SqliteTextSweep::number(database_);
  if (!sweep) return sweep.error();
  if (sweep_ != *sweep) forget();
  sweep_ = *sweep;
  return {};
}

Result<std::uint64_t> SqliteDictionary::id_of(const std::string& text) {
  if (const auto known = known_.find(text); known != known_.end()) return known->second;
  SqliteStatement* const find = database_.named(find_);
  if (find == nullptr) return database_.error();
  const auto found = database_.number(&find->bind(1, std::string_view(text)));
  if (!found) return found.error();
  std::uint64_t id = found->value_or(0);
  if (!*found) {
    SqliteStatement* const add = database_.named(add_);
    if (add != nullptr) add->bind(1, std::string_view(text));
    if (Status status = database_.run(add); !status) return status.error();
    id = database_.last_id();
  }
  if (Status status = note(id); !status) return status.error();
  if (bytes_ > kMaxBytes) forget();
  bytes_ += text.size() + kBytesOfEntry;
  known_.emplace(text, id);
  return id;
}

/// Also of a text that was added: its number may be that of one that the sweep removed.
Status SqliteDictionary::note(std::uint64_t id) {
  if (!sweep_ || !SqliteTextSweep::is_running(*sweep_)) return {};
  SqliteStatement* const use = database_.named(use_);
  if (use != nullptr) use->bind(1, id);
  return database_.run(use);
}

void SqliteDictionary::forget() {
  known_.clear();
  bytes_ = 0;
}

}  // namespace physmem::fleet
