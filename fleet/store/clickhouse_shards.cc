// SPDX-License-Identifier: MIT
// The shards of a store in ClickHouse, and their tables.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_rows.h"
#include "fleet/store/clickhouse_schema.h"
#include "fleet/store/clickhouse_sql.h"
#include "fleet/store/clickhouse_store.h"
#include "program/errors.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kShardsVersion = 2;

Error wrong_shard(const std::string& host, const std::string& what) {
  return {Error::Kind::kUsage, "store " + host + ": " + what};
}

/// "1 host" or "2 hosts".
std::string number_text(std::uint64_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// The name of the table that a statement of the schema creates, after that of the database; empty:
/// none.
std::string created_table(const std::string& statement) {
  const std::size_t dot = statement.find('.');
  if (dot == statement.npos) return {};
  return statement.substr(dot + 1, statement.find(' ', dot) - dot - 1);
}

}  // namespace

Status ClickhouseStore::find_shards(StoreAccess access) {
  if (Status status = check_cluster(); !status) return status;
  if (access != StoreAccess::kCreate)
    if (Status status = check_version(); !status) return status;
  return arrange_shards();
}

/// Rows would be left out of answers if the URL did not name each shard.
Status ClickhouseStore::check_cluster() {
  if (url_.cluster.empty()) return {};
  for (ClickhouseHttp& shard : shards_) {
    auto found = rows(shard, "shards", {{}, {{"cluster", std::string_view(url_.cluster)}}});
    if (!found) return found.error();
    const std::uint64_t shards = found->empty() ? 0 : number_at((*found)[0], 0);
    if (shards == 0)
      return wrong_shard(
          shard.host(), fmt::format("its configuration has no cluster {}: expected the name of one "
                                    "in remote_servers (system.clusters lists them)",
                                    url_.cluster));
    if (shards != shards_.size())
      return wrong_shard(shard.host(),
                         fmt::format("cluster {} has {}, and the URL has {}: expected one host of "
                                     "each shard in the URL",
                                     url_.cluster, number_text(shards, "shard"),
                                     number_text(shards_.size(), "host")));
  }
  return {};
}

Result<bool> ClickhouseStore::has_table(ClickhouseHttp& shard, std::string_view table) {
  auto found = rows(
      shard, "tables",
      {{}, {{"database", std::string_view(url_.database)}, {"tables", std::string_view(table)}}});
  if (!found) return found.error();
  return !found->empty() && number_at((*found)[0], 0) != 0;
}

Status ClickhouseStore::check_version() {
  for (ClickhouseHttp& shard : shards_) {
    const auto has_store = has_table(shard, "store");
    if (!has_store) return has_store.error();
    if (!*has_store)
      return bad_input("store " + shard.host() + ": database " + url_.database +
                       " is not a store, expected one (physmem-fleet load makes one)");
    if (const auto is_marked = has_version(shard); !is_marked) return is_marked.error();
  }
  return {};
}

/// Whether the shard is marked with the version of its tables, which has the table `store`. Another
/// version is an error.
Result<bool> ClickhouseStore::has_version(ClickhouseHttp& shard) {
  auto found = rows(shard, "version", {});
  if (!found) return found.error();
  const std::uint64_t version = found->empty() ? 0 : number_at((*found)[0], 0);
  if (version == 0 || version == kShardsVersion) return version != 0;
  return bad_input(fmt::format("store {}: has version {} of the tables, expected {}: it is of {}",
                               shard.host(), version, kShardsVersion,
                               version > kShardsVersion
                                   ? "a newer physmem-fleet"
                                   : "an earlier physmem-fleet; load the reports into another "
                                     "database"));
}

/// From 0, as the shard is marked. Without a mark, because it is new:
/// its place in the cluster, or nothing if it does not know that.
Result<std::optional<std::size_t>> ClickhouseStore::number_of(ClickhouseHttp& shard) {
  const auto has_mark = has_table(shard, "shard");
  if (!has_mark) return has_mark.error();
  Rows found;
  if (*has_mark) {
    auto marks = rows(shard, "shard", {});
    if (!marks) return marks.error();
    found = std::move(*marks);
  }
  return found.empty() ? place_in_cluster(shard) : marked_number(shard, found);
}

Result<std::optional<std::size_t>> ClickhouseStore::place_in_cluster(ClickhouseHttp& shard) {
  if (url_.cluster.empty()) {
    const auto is_of_cluster = has_table(shard, "snapshots_all");
    if (!is_of_cluster) return is_of_cluster.error();
    if (*is_of_cluster)
      return wrong_shard(shard.host(),
                         "is one of several shards: expected a URL with a host for "
                         "each, and ?cluster=NAME");
    return std::optional<std::size_t>();
  }
  const auto own = rows(shard, "own_shard", {{}, {{"cluster", std::string_view(url_.cluster)}}});
  if (!own) return own.error();
  const bool is_known = own->size() == 1 && number_at((*own)[0], 0) - 1 < shards_.size();
  return is_known ? std::optional<std::size_t>(number_at((*own)[0], 0) - 1) : std::nullopt;
}

Result<std::optional<std::size_t>> ClickhouseStore::marked_number(ClickhouseHttp& shard,
                                                                  const Rows& marks) {
  const std::uint64_t number = number_at(marks[0], 0), shards = number_at(marks[0], 1);
  if (marks.size() != 1 || number >= shards)
    return bad_input("store " + shard.host() + ": table " + url_.database +
                     ".shard has several numbers, expected one");
  if (shards != shards_.size())
    return wrong_shard(
        shard.host(),
        fmt::format("is shard {} of {}, and the URL has {}: expected one for each shard, and "
                    "?cluster=NAME",
                    number + 1, shards, number_text(shards_.size(), "host")));
  return std::optional<std::size_t>(number);
}

/// A machine is on the shard of its hash, whatever the order of hosts in the URL. Shards whose
/// number is not known get those that are left.
Status ClickhouseStore::arrange_shards() {
  std::vector<std::optional<ClickhouseHttp>> arranged(shards_.size());
  std::vector<ClickhouseHttp> others;
  for (ClickhouseHttp& shard : shards_) {
    const auto number = number_of(shard);
    if (!number) return number.error();
    if (!*number) {
      others.push_back(std::move(shard));
      continue;
    }
    std::optional<ClickhouseHttp>& place = arranged[**number];
    if (place)
      return wrong_shard(shard.host(),
                         fmt::format("is shard {}, as {} is: expected each shard once in the URL",
                                     **number + 1, place->host()));
    place = std::move(shard);
  }
  shards_.clear();
  auto other = others.begin();
  for (auto& place : arranged) shards_.push_back(std::move(place ? *place : *other++));
  return {};
}

/// Whether the shard has all tables, and the mark of this version.
Result<bool> ClickhouseStore::is_complete(ClickhouseHttp& shard) {
  const auto has_store = has_table(shard, "store");
  if (!has_store || !*has_store) return has_store;
  const auto is_marked = has_version(shard);
  if (!is_marked || !*is_marked) return is_marked;
  std::vector<std::string> tables;
  for (const std::string& statement : clickhouse_schema(url_))
    if (std::string name = created_table(statement); !name.empty())
      tables.push_back(std::move(name));
  auto found = rows(shard, "tables",
                    {{}, {{"database", std::string_view(url_.database)}, {"tables", tables}}});
  if (!found) return found.error();
  return !found->empty() && number_at((*found)[0], 0) == tables.size();
}

Status ClickhouseStore::create() {
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    ClickhouseHttp& shard = shards_[i];
    const auto is_complete = this->is_complete(shard);
    if (!is_complete) return is_complete.error();
    if (!*is_complete)
      for (const std::string& statement : clickhouse_schema(url_))
        if (Status status = repeat(shard, {statement, nullptr, {}}); !status) return status;
    if (Status status = mark_shard(shard, i); !status) return status;
    if (Status status = mark_version(shard); !status) return status;
  }
  return check_version();
}

Status ClickhouseStore::mark_shard(ClickhouseHttp& shard, std::size_t number) {
  auto marks = rows(shard, "shard", {});
  if (!marks) return marks.error();
  if (!marks->empty()) {
    const auto found = marked_number(shard, *marks);
    if (!found) return found.error();
    if (*found == number) return {};
    return wrong_shard(shard.host(),
                       fmt::format("is shard {}, expected shard {}: expected each shard once in "
                                   "the URL",
                                   **found + 1, number + 1));
  }
  const std::string line = fmt::format("{}\t{}\n", number, shards_.size());
  TextRows mark(line);
  return insert(shard, "mark_shard", {}, mark);
}

/// After all tables.
Status ClickhouseStore::mark_version(ClickhouseHttp& shard) {
  const auto is_marked = has_version(shard);
  if (!is_marked) return is_marked.error();
  if (*is_marked) return {};
  const std::string line = fmt::format("{}\n", kShardsVersion);
  TextRows mark(line);
  return insert(shard, "mark", {}, mark);
}

}  // namespace physmem::fleet
