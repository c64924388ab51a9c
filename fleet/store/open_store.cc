// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "fleet/sql/sql_text.h"
#include "fleet/store/clickhouse_schema.h"
#include "fleet/store/clickhouse_store.h"
#include "fleet/store/clickhouse_url.h"
#include "fleet/store/sqlite_store.h"
#include "fleet/store/store.h"
#include "program/printable.h"

namespace physmem::fleet {

std::string_view name(Question question) {
  constexpr std::array<std::string_view, 13> kNames{
      "machines", "unit_names", "units", "changes",   "ram",    "hosts", "trend",
      "leaks",    "gaps",       "kept",  "last_kept", "alerts", "later"};
  return kNames[static_cast<std::size_t>(question)];
}

Error too_large_sum(const std::string& machine) {
  const std::string of = machine.empty() ? "" : " of machine " + machine;
  return {Error::Kind::kIo,
          "a sum" + of +
              " is above 8 EB: reports have sizes that no machine has, or there are too many of "
              "large machines; choose other hosts (--host) or a shorter time (--since, --until)"};
}

Status check_sums(Question question, const Row& row) {
  const auto number = [&](std::size_t column) -> long double {
    const auto* const value = std::get_if<std::uint64_t>(&row.at(column));
    return value == nullptr ? 0 : static_cast<long double>(*value);
  };
  const bool is_of_units = question == Question::kUnits;
  if (is_of_units || question == Question::kRam) {
    // How many, and the largest: their sum may have wrapped.
    if (number(3) * number(6) <= static_cast<long double>(kMaxSum)) return {};
    return too_large_sum(std::get<std::string>(row.at(is_of_units ? 1 : 2)));
  }
  const bool has_sums = question == Question::kChanges || question == Question::kTrend;
  const bool is_marked = std::find(row.begin(), row.end(), Value(kMaxNumber)) != row.end();
  return has_sums && is_marked ? too_large_sum() : Status();
}

namespace {

/// Of a URL that may be wrong in any way: a password in it is not shown.
std::string without_user(const std::string& url) {
  const std::size_t scheme = url.find("://"), at = url.rfind('@');
  if (scheme == url.npos || at == url.npos || at < scheme) return url;
  return url.substr(0, scheme + 3) + url.substr(at + 1);
}

std::string not_a_store(const std::string& url) {
  return "found " + quoted(without_user(url), kWholePath) +
         ", expected a store: sqlite:FILE, FILE.db or clickhouse+http://HOST/DATABASE";
}

std::optional<std::string> sqlite_file(const std::string& url) {
  constexpr std::string_view kSqlite = "sqlite:";
  if (url.starts_with(kSqlite) && url.size() > kSqlite.size()) return url.substr(kSqlite.size());
  if (url.ends_with(".db") && url.find("://") == url.npos) return url;
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreAccess access) {
  if (const auto file = sqlite_file(url)) return SqliteStore::open(*file, access);
  if (is_clickhouse_url(url)) return ClickhouseStore::open(url, access);
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
  for (const std::string& statement : clickhouse_schema(url)) sql += statement + ";\n\n";
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
