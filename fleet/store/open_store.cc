// SPDX-License-Identifier: MIT
#include "fleet/store/open_store.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_ddl.h"
#include "fleet/store/clickhouse_store.h"
#include "fleet/store/clickhouse_url.h"
#include "fleet/store/sqlite_store.h"
#include "program/printable.h"

namespace physmem::fleet {

namespace {

/// The URL without user and password, also if it is wrong in any way.
std::string without_user(const std::string& url) {
  const std::size_t scheme = url.find("://"), at = url.rfind('@');
  if (scheme == url.npos || at == url.npos || at < scheme) return url;
  return url.substr(0, scheme + 3) + url.substr(at + 1);
}

std::string not_a_store(const std::string& url) {
  return "found " + in_quotes(without_user(url), kWholePath) + ", expected a store: " + kStoreForm;
}

std::optional<std::string> sqlite_file(const std::string& url) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.starts_with(kSqlite) && url.size() > kSqlite.size()) return url.substr(kSqlite.size());
  if (url.ends_with(".db") && url.find("://") == url.npos) return url;
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreAccess access,
                                          Store::Notice notice) {
  if (const auto file = sqlite_file(url)) return SqliteStore::open(*file, access);
  if (is_clickhouse_url(url)) return open_clickhouse(url, access, std::move(notice));
  return Error{Error::Kind::kUsage, not_a_store(url)};
}

Result<std::string> schema_of(const std::string& store) {
  if (store == "sqlite" || sqlite_file(store)) return std::string(sql_text("sqlite", "schema"));
  ClickhouseUrl url;
  if (store != "clickhouse") {
    if (!is_clickhouse_url(store))
      return Error{Error::Kind::kUsage,
                   "schema: " + not_a_store(store) + ", or sqlite or clickhouse"};
    auto parsed = parse_clickhouse_url(store);
    if (!parsed) return parsed.error();
    url = std::move(*parsed);
  }
  std::string sql;
  for (const std::string& statement : clickhouse_ddl(url)) sql += statement + ";\n\n";
  sql.pop_back();
  return sql;
}

std::string shown_store(const std::string& url) {
  if (!is_clickhouse_url(url)) return url;
  const std::size_t hosts = url.find("//") + 2;
  const std::string place = url.substr(hosts, url.find('?') - hosts);
  const std::size_t user = place.substr(0, place.find('/')).rfind('@');
  return url.substr(0, hosts) + (user == std::string::npos ? place : place.substr(user + 1));
}

}  // namespace physmem::fleet
