// SPDX-License-Identifier: MIT
#include "fleet/store/sqlite_dictionary.h"

namespace physmem::fleet {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{8} << 20;
constexpr std::size_t kBytesOfEntry = 64;  ///< bytes of an entry besides its text

}  // namespace

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
  if (bytes_ > kMaxBytes) forget();
  bytes_ += text.size() + kBytesOfEntry;
  known_.emplace(text, id);
  return id;
}

void SqliteDictionary::forget() {
  known_.clear();
  bytes_ = 0;
}

}  // namespace physmem::fleet
