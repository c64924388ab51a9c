// SPDX-License-Identifier: MIT
#pragma once

#include "watch/reclaim_activity.h"
#include "watch/sample_sink.h"

namespace physmem::watch {

/// A line for each second in which the kernel reclaims memory, as text or as JSON.
class ReclaimLines final : public SampleSink {
 public:
  explicit ReclaimLines(bool is_json) : is_json_(is_json) {}

  Events& events() override { return activity_; }
  void on_sample(std::ostream& out) override;
  void on_rest(std::ostream& out) override;

 private:
  bool is_json_;
  ReclaimActivity activity_;
};

}  // namespace physmem::watch
