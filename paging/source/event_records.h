// SPDX-License-Identifier: MIT
// Converts events of any source back to records, to replay a trace through pftraced.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "paging/source/event_source.h"
#include "paging/source/record_source.h"

namespace physmem {

class EventRecords : public RecordSource {
 public:
  explicit EventRecords(std::unique_ptr<EventSource> source) : source_(std::move(source)) {}

  Result<Taken> take(std::span<pm_paging_record> into) override;
  int descriptor() const override { return source_->descriptor(); }
  const char* name() const override { return "replay"; }
  std::optional<TraceHeader> new_header() override {
    return std::exchange(sink_.header, std::nullopt);
  }

 private:
  struct Waiting : PagingSink {
    void on_header(const TraceHeader& now) override { header = now; }
    void on_event(const PagingEvent& event) override;
    void on_lost(const LostEvents& lost) override;

    std::optional<TraceHeader> header;
    std::deque<pm_paging_record> records;
  };

  std::unique_ptr<EventSource> source_;
  Waiting sink_;
  bool has_ended_ = false;
  std::optional<Error> error_;  ///< the error that ended the source
};

}  // namespace physmem
