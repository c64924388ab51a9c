// SPDX-License-Identifier: MIT
// --metrics: physmem-analyze reads the snapshots of this collector and writes metrics.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "formats/output/output.h"
#include "program/errors.h"

namespace physmem::collect {

class MetricsChild {
 public:
  /// `file`: the file of metrics, which is replaced after each snapshot.
  static Result<std::unique_ptr<MetricsChild>> start(const std::string& file);

  /// Takes the snapshots. If the series ends inside of one, or without one, physmem-analyze is
  /// ended: it would report incomplete input. Must not outlive this object.
  std::unique_ptr<Output> take_output() { return std::move(output_); }
  /// Waits for physmem-analyze and joins its exit status with the collector's. The output must be
  /// destroyed. A closed pipe is an error of physmem-analyze, which it has printed.
  Result<Exit> end(const Result<Exit>& own) const;

 private:
  class SnapshotPipe;

  pid_t pid_ = 0;
  bool was_ended_ = false;  ///< by this program
  std::unique_ptr<Output> output_;
};

}  // namespace physmem::collect
