// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_schema.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fleet/store/clickhouse_answer.h"
#include "fleet/store/clickhouse_ddl.h"
#include "fleet/store/clickhouse_rows.h"
#include "fleet/store/clickhouse_sql.h"
#include "program/errors.h"
#include "program/printable.h"

namespace physmem::fleet {
namespace {

constexpr std::uint64_t kShardsVersion = 2;

Error wrong_shard(const std::string& host, const std::string& what) {
  return {Error::Kind::kUsage, "store " + host + ": " + what};
}

/// The name of the table that a statement of the schema creates, without the database's name. Empty
/// if it creates none.
std::string created_table(const std::string& statement) {
  const std::size_t dot = statement.find('.');
  if (dot == statement.npos) return {};
  return statement.substr(dot + 1, statement.find(' ', dot) - dot - 1);
}

}  // namespace

Status ClickhouseSchema::find_shards(StoreAccess access) {
  if (Status status = check_cluster(); !status) return status;
  if (access != StoreAccess::kCreate)
    if (Status status = check_version(); !status) return status;
  return arrange_shards();
}

/// Rows would be left out of answers if the URL did not name each shard.
Status ClickhouseSchema::check_cluster() {
  if (connection_.url().cluster.empty()) return {};
  for (ClickhouseHttp& shard : connection_.shards()) {
    const auto found = connection_.number(
        shard, "shards", {{}, {{"cluster", std::string_view(connection_.url().cluster)}}});
    if (!found) return found.error();
    const std::uint64_t shards = *found;
    if (shards == 0)
      return wrong_shard(
          shard.host(), fmt::format("its configuration has no cluster {}: expected the name of one "
                                    "in remote_servers (system.clusters lists them)",
                                    connection_.url().cluster));
    if (shards != connection_.shards().size())
      return wrong_shard(shard.host(),
                         fmt::format("cluster {} has {}, and the URL has {}: expected one host of "
                                     "each shard in the URL",
                                     connection_.url().cluster, counted(shards, "shard"),
                                     counted(connection_.shards().size(), "host")));
  }
  return {};
}

Result<bool> ClickhouseSchema::has_table(ClickhouseHttp& shard, std::string_view table) {
  const auto found = connection_.number(
      shard, "tables",
      {{}, {{"database", std::string_view(connection_.url().database)}, {"tables", table}}});
  if (!found) return found.error();
  return *found != 0;
}

Status ClickhouseSchema::check_version() {
  for (ClickhouseHttp& shard : connection_.shards()) {
    const auto has_store = has_table(shard, "store");
    if (!has_store) return has_store.error();
    if (!*has_store)
      return bad_input("store " + shard.host() + ": database " + connection_.url().database +
                       " is not a store, expected one (physmem-fleet load makes one)");
    if (const auto is_marked = has_version(shard); !is_marked) return is_marked.error();
  }
  return {};
}

/// Whether the shard is marked with the version of its tables, which has the table `store`. Another
/// version is an error.
Result<bool> ClickhouseSchema::has_version(ClickhouseHttp& shard) {
  const auto found = connection_.number(shard, "version", {});
  if (!found) return found.error();
  const std::uint64_t version = *found;
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
Result<std::optional<std::size_t>> ClickhouseSchema::number_of(ClickhouseHttp& shard) {
  const auto has_mark = has_table(shard, "shard");
  if (!has_mark) return has_mark.error();
  Rows found;
  if (*has_mark) {
    auto marks = connection_.rows(shard, "shard", {});
    if (!marks) return marks.error();
    found = std::move(*marks);
  }
  return found.empty() ? place_in_cluster(shard) : marked_number(shard, found);
}

Result<std::optional<std::size_t>> ClickhouseSchema::place_in_cluster(ClickhouseHttp& shard) {
  if (connection_.url().cluster.empty()) {
    const auto is_of_cluster = has_table(shard, "snapshots_all");
    if (!is_of_cluster) return is_of_cluster.error();
    if (*is_of_cluster)
      return wrong_shard(shard.host(),
                         "is one of several shards: expected a URL with a host for "
                         "each, and ?cluster=NAME");
    return std::optional<std::size_t>();
  }
  const auto own = connection_.rows(
      shard, "own_shard", {{}, {{"cluster", std::string_view(connection_.url().cluster)}}});
  if (!own) return own.error();
  const bool is_known =
      own->size() == 1 && number_at((*own)[0], 0) - 1 < connection_.shards().size();
  return is_known ? std::optional<std::size_t>(number_at((*own)[0], 0) - 1) : std::nullopt;
}

Result<std::optional<std::size_t>> ClickhouseSchema::marked_number(ClickhouseHttp& shard,
                                                                   const Rows& marks) {
  const std::uint64_t number = number_at(marks[0], 0), shards = number_at(marks[0], 1);
  if (marks.size() != 1 || number >= shards)
    return bad_input("store " + shard.host() + ": table " + connection_.url().database +
                     ".shard has several numbers, expected one");
  if (shards != connection_.shards().size())
    return wrong_shard(
        shard.host(),
        fmt::format("is shard {} of {}, and the URL has {}: expected one for each shard, and "
                    "?cluster=NAME",
                    number + 1, shards, counted(connection_.shards().size(), "host")));
  return std::optional<std::size_t>(number);
}

/// A machine is on the shard of its hash, whatever the order of hosts in the URL. Shards whose
/// number is not known get those that are left.
Status ClickhouseSchema::arrange_shards() {
  std::vector<std::optional<ClickhouseHttp>> arranged(connection_.shards().size());
  std::vector<ClickhouseHttp> others;
  for (ClickhouseHttp& shard : connection_.shards()) {
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
  connection_.shards().clear();
  auto other = others.begin();
  for (auto& place : arranged) connection_.shards().push_back(std::move(place ? *place : *other++));
  return {};
}

/// Whether the shard has all tables, and the mark of this version.
Result<bool> ClickhouseSchema::is_complete(ClickhouseHttp& shard) {
  auto has_store = has_table(shard, "store");
  if (!has_store || !*has_store) return has_store;
  auto is_marked = has_version(shard);
  if (!is_marked || !*is_marked) return is_marked;
  std::vector<std::string> tables;
  for (const std::string& statement : clickhouse_ddl(connection_.url()))
    if (std::string name = created_table(statement); !name.empty())
      tables.push_back(std::move(name));
  const auto found = connection_.number(
      shard, "tables",
      {{}, {{"database", std::string_view(connection_.url().database)}, {"tables", tables}}});
  if (!found) return found.error();
  return *found == tables.size();
}

Status ClickhouseSchema::create() {
  for (std::size_t i = 0; i < connection_.shards().size(); ++i) {
    ClickhouseHttp& shard = connection_.shards()[i];
    const auto is_complete = this->is_complete(shard);
    if (!is_complete) return is_complete.error();
    if (!*is_complete)
      for (const std::string& statement : clickhouse_ddl(connection_.url()))
        if (Status status = connection_.send(shard, statement); !status) return status;
    if (Status status = mark_shard(shard, i); !status) return status;
    if (Status status = mark_version(shard); !status) return status;
  }
  return check_version();
}

Status ClickhouseSchema::mark_shard(ClickhouseHttp& shard, std::size_t number) {
  auto marks = connection_.rows(shard, "shard", {});
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
  const std::string line = fmt::format("{}\t{}\n", number, connection_.shards().size());
  TextRows mark(line);
  return connection_.insert(shard, "mark_shard", {}, mark);
}

/// After all tables.
Status ClickhouseSchema::mark_version(ClickhouseHttp& shard) {
  const auto is_marked = has_version(shard);
  if (!is_marked) return is_marked.error();
  if (*is_marked) return {};
  const std::string line = fmt::format("{}\n", kShardsVersion);
  TextRows mark(line);
  return connection_.insert(shard, "mark", {}, mark);
}

}  // namespace physmem::fleet
