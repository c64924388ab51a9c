// SPDX-License-Identifier: MIT
#include "fleet/store/clickhouse_store.h"

#include <utility>

#include "fleet/store/clickhouse_connection.h"
#include "fleet/store/clickhouse_days.h"
#include "fleet/store/clickhouse_reader.h"
#include "fleet/store/clickhouse_removal.h"
#include "fleet/store/clickhouse_schema.h"
#include "fleet/store/clickhouse_writer.h"

namespace physmem::fleet {
namespace {

class ClickhouseStore : public Store {
 public:
  ClickhouseStore(ClickhouseUrl url, Notice notice)
      : connection_(std::move(url), std::move(notice)) {}

  Status find_shards(StoreAccess access) { return schema_.find_shards(access); }
  Status create() override { return schema_.create(); }

  Result<std::set<std::string>> known(const std::vector<std::string>& keys) override {
    return writer_.known(keys);
  }
  Status ask(Question question, const Selection& selection, const TakeRow& take) override {
    return reader_.ask(question, selection, take);
  }

  Status add(std::span<const Report> batch) override { return writer_.add(batch); }
  bool keeps_reports() const override { return true; }
  bool is_full() const override { return writer_.is_full(); }
  Result<std::uint64_t> flush(bool leaves_out_known) override {
    return writer_.flush(leaves_out_known);
  }
  Status set_kept(std::span<const KeptSnapshot> kept) override { return writer_.set_kept(kept); }
  Status forget_kept(std::uint64_t before) override { return writer_.forget_kept(before); }

  Result<std::uint64_t> rollup(std::uint64_t before) override { return days_.rollup(before); }
  Result<std::uint64_t> expire(std::uint64_t before) override { return days_.expire(before); }
  Result<std::uint64_t> expired_before() override { return connection_.expired_before(); }
  Result<bool> remove(const Selection& selection) override { return removal_.remove(selection); }

 private:
  ClickhouseConnection connection_;
  ClickhouseSchema schema_{connection_};
  ClickhouseReader reader_{connection_};
  ClickhouseDays days_{connection_};
  ClickhouseWriter writer_{connection_, days_};
  ClickhouseRemoval removal_{connection_, days_};
};

}  // namespace

Result<std::unique_ptr<Store>> open_clickhouse(const std::string& text, StoreAccess access,
                                               Store::Notice notice) {
  auto url = parse_clickhouse_url(text);
  if (!url) return url.error();
  if (access == StoreAccess::kRead) url->retry_seconds = 0;  // a user waits
  auto store = std::make_unique<ClickhouseStore>(std::move(*url), std::move(notice));
  if (const Status status = store->find_shards(access); !status) return status.error();
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace physmem::fleet
