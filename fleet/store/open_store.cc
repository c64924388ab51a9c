// SPDX-License-Identifier: MIT
#include <array>
#include <string_view>

#include "fleet/store/clickhouse_store.h"
#include "fleet/store/clickhouse_url.h"
#include "fleet/store/sqlite_store.h"
#include "fleet/store/store.h"
#include "program/printable.h"

namespace physmem::fleet {

std::string_view name(Question question) {
  constexpr std::array<std::string_view, 12> kNames{
      "machines", "unit_names", "units", "changes", "ram",       "hosts",
      "trend",    "leaks",      "gaps",  "kept",    "last_kept", "alerts"};
  return kNames[static_cast<std::size_t>(question)];
}

namespace {

/// Of a URL that may be wrong in any way: a password in it is not shown.
std::string without_user(const std::string& url) {
  const std::size_t scheme = url.find("://"), at = url.rfind('@');
  if (scheme == url.npos || at == url.npos || at < scheme) return url;
  return url.substr(0, scheme + 3) + url.substr(at + 1);
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreAccess access) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.starts_with(kSqlite) && url.size() > kSqlite.size())
    return SqliteStore::open(url.substr(kSqlite.size()), access);
  if (url.ends_with(".db") && url.find("://") == url.npos) return SqliteStore::open(url, access);
  if (is_clickhouse_url(url)) return ClickhouseStore::open(url, access);
  return Error{Error::Kind::kUsage, "found " + quoted(without_user(url), kWholePath) +
                                        ", expected a store: sqlite:FILE, FILE.db "
                                        "or clickhouse+http://HOST/DATABASE"};
}

std::string shown_store(const std::string& url) {
  if (!is_clickhouse_url(url)) return url;
  const std::size_t hosts = url.find("//") + 2;
  const std::string place = url.substr(hosts, url.find('?') - hosts);
  const std::size_t user = place.substr(0, place.find('/')).rfind('@');
  return url.substr(0, hosts) + (user == std::string::npos ? place : place.substr(user + 1));
}

}  // namespace physmem::fleet
