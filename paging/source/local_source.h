// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "paging/source/event_source.h"
#include "paging/source/local_records.h"
#include "paging/source/record_source.h"
#include "program/clock.h"

namespace physmem {

/// Events from the records of this machine's module or BPF program.
class LocalSource : public EventSource {
 public:
  /// `root` is a prefix for /proc.
  explicit LocalSource(std::unique_ptr<RecordSource> records, const std::string& root = "",
                       Clock& clock = system_clock());

  Result<State> pump(PagingSink& sink, std::chrono::milliseconds timeout) override;
  void finish(PagingSink& sink) override;
  int descriptor() const override { return source_->descriptor(); }
  std::string shortcomings() const override { return source_->shortcomings(); }

 private:
  Result<State> drain(PagingSink& sink);

  std::unique_ptr<RecordSource> source_;
  Clock& clock_;
  LocalRecords records_;
  std::vector<pm_paging_record> batch_;
  bool has_begun_ = false;
};

}  // namespace physmem
