// SPDX-License-Identifier: MIT
// A store in one ClickHouse server, or in the shards of a cluster. Rows go to the shard of their
// machine. Of a question that groups facts by machine, each shard answers its part; others go to
// the first shard, which asks the others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/store/clickhouse_batch.h"
#include "fleet/store/clickhouse_http.h"
#include "fleet/store/clickhouse_sql.h"
#include "fleet/store/store.h"

namespace physmem::fleet {

class ClickhouseStore : public Store {
 public:
  static Result<std::unique_ptr<Store>> open(const std::string& url, StoreAccess access,
                                             Notice notice = {});

  Status create() override;
  Result<std::set<std::string>> known(const std::vector<std::string>& keys) override;
  /// Reports stay in memory until there are many (see clickhouse_batch.h). Facts first and the
  /// lines of `snapshots` last, and questions count facts with such a line only. Rows have keys
  /// that replace each other, so what was sent twice counts once.
  Status add(std::span<const Report> batch) override;
  bool keeps_reports() const override { return true; }
  bool is_full() const override;
  Result<std::uint64_t> flush(bool leaves_out_known) override;
  /// Their lines in `snapshots` are inserted again.
  Status set_kept(std::span<const KeptSnapshot> kept) override;
  Status forget_kept(std::uint64_t before) override;
  Status ask(Question question, const Selection& selection, const TakeRow& take) override;
  Result<std::uint64_t> rollup(std::uint64_t before) override;
  Result<std::uint64_t> expire(std::uint64_t before) override;
  Result<bool> remove(const Selection& selection) override;
  Result<std::uint64_t> expired_before() override;

 private:
  using Rows = std::vector<Row>;

  explicit ClickhouseStore(ClickhouseUrl url);

  struct Stored {
    std::string key;
    SnapshotKey place;
  };

  Result<std::vector<Stored>> stored(ClickhouseHttp& shard, const SqlParameters& parameters);
  Status send(ClickhouseHttp& shard, const ClickhouseBatch& batch);
  Status replace(ClickhouseHttp& shard, const ClickhouseBatch& batch,
                 const std::vector<SnapshotKey>& replaced);
  Status remove_sums(ClickhouseHttp& shard, const std::set<std::uint64_t>& days);
  Status remove(ClickhouseHttp& shard, const SqlParameters& parameters);
  Status remove_sums_of(ClickhouseHttp& shard, const SqlParameters& parameters,
                        std::set<std::uint64_t>& days);
  /// Waits until the server has changed or removed rows of the tables.
  Status mutate(ClickhouseHttp& shard, const std::vector<std::string>& tables,
                std::string_view section, SqlParameters parameters);
  Status wait_for_mutations(ClickhouseHttp& shard, const std::vector<std::string>& tables);
  /// Rejects a URL that does not name each shard once.
  Status find_shards(StoreAccess access);
  Status check_cluster();
  Status check_version();
  Result<bool> has_version(ClickhouseHttp& shard);
  Result<bool> has_table(ClickhouseHttp& shard, std::string_view table);
  Result<std::optional<std::size_t>> number_of(ClickhouseHttp& shard);
  Result<std::optional<std::size_t>> place_in_cluster(ClickhouseHttp& shard);
  Result<std::optional<std::size_t>> marked_number(ClickhouseHttp& shard, const Rows& marks);
  Status arrange_shards();
  Status mark_shard(ClickhouseHttp& shard, std::size_t number);
  Status mark_version(ClickhouseHttp& shard);
  Result<bool> is_complete(ClickhouseHttp& shard);
  Status insert(ClickhouseHttp& shard, std::string_view section, SqlParameters parameters,
                RowSource& rows);
  Status repeat(const std::function<HttpOutcome()>& send);
  Status repeat(ClickhouseHttp& shard, const HttpRequest& request);
  Result<Rows> rows(ClickhouseHttp& shard, std::string_view section, SqlParameters parameters);
  Status run_by_days(ClickhouseHttp& shard, std::string_view days, std::string_view section,
                     const SqlParameters& parameters);
  Status run(ClickhouseHttp& shard, std::string_view section, SqlParameters parameters);
  std::string filled(std::string_view text, SqlParameters parameters) const;
  Result<std::vector<std::uint64_t>> sum_days(ClickhouseHttp& shard, std::uint64_t before);
  Status sum_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots);
  Status add_sums(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots);
  Status mark_day(ClickhouseHttp& shard, std::uint64_t day, std::uint64_t snapshots);
  Result<std::uint64_t> last_mutations(ClickhouseHttp& shard,
                                       const std::vector<std::string>& tables);
  SqlParameters parameters_of(const Selection& selection) const;
  void set_span(std::uint64_t first, std::uint64_t end, SqlParameters& parameters) const;
  Status choose_days(Question question, const Selection& selection, SqlParameters& parameters);
  Result<std::map<std::uint64_t, bool>> days_of(const Selection& selection);
  /// `whole`: whether all rows came. While rows are taken, `taking` is locked.
  static HttpOutcome read(ClickhouseHttp& shard, const std::string& sql, Status& whole,
                          const TakeRow& take, std::mutex* taking = nullptr);
  Status ask_each(const std::string& sql, const TakeRow& take);
  Status sum_trend(std::uint64_t before);
  Status run_all(ClickhouseHttp& shard, std::string_view text, const SqlParameters& parameters);
  Status drop_old(ClickhouseHttp& shard, std::uint64_t before);

  ClickhouseUrl url_;
  std::vector<ClickhouseHttp> shards_;    ///< by their number
  std::vector<ClickhouseBatch> batches_;  ///< of each shard
  bool has_reported_wait_ = false;
};

}  // namespace physmem::fleet
