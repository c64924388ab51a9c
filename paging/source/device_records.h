// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "paging/source/record_source.h"
#include "program/unique_fd.h"

namespace physmem {

inline constexpr const char* kPagingDevice = "/dev/physmem_paging";

/// The character device of physmem_paging.ko, which allows one reader at a time.
class DeviceRecords : public RecordSource {
 public:
  /// Opens the device, which starts the trace. An error names what is missing.
  static Result<std::unique_ptr<RecordSource>> open(const std::string& path = kPagingDevice);

  /// `device` returns whole records and does not block. `path` is used in messages.
  DeviceRecords(UniqueFd device, std::string path)
      : device_(std::move(device)), path_(std::move(path)) {}

  Result<Taken> take(std::span<pm_paging_record> into) override;
  int descriptor() const override { return device_.get(); }
  const char* name() const override { return "kmod"; }

 private:
  UniqueFd device_;
  std::string path_;
};

}  // namespace physmem
