// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "collector-proc/result.h"

namespace physmem::collect {

/// Where the snapshot goes. Destroyed without finish(), it leaves nothing behind.
class Output {
 public:
  virtual ~Output() = default;
  Output() = default;
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// 0, or the error number; then nothing more should be written.
  virtual int write(std::string_view text) = 0;
  /// The snapshot is complete: 0, or the error number.
  virtual int finish() = 0;
  /// What the user calls it: "standard output" or the name of the file.
  virtual std::string name() const = 0;
};

/// "-" or an empty name is standard output, a name that ends in .zst is compressed.
Result<std::unique_ptr<Output>> open_output(const std::string& name);

/// The sentence for an error number that write() or finish() returned; no text for a closed pipe or a signal.
Error output_error(const Output& output, int error_number);

/// All of it, whatever pieces the kernel takes: 0, or the error number; EINTR only after interrupted().
int write_fully(int fd, std::string_view text);

}  // namespace physmem::collect
