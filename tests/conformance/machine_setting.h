// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem::conformance {

/// A setting of the machine, below /sys or /proc/sys, for the length of a test; put back at the
/// end.
class MachineSetting {
 public:
  MachineSetting(std::string path, const std::string& value);
  MachineSetting(const MachineSetting&) = delete;
  MachineSetting& operator=(const MachineSetting&) = delete;
  ~MachineSetting();

  bool is_set() const { return is_set_; }

 private:
  std::string path_;
  std::string old_;
  bool is_set_ = false;
};

}  // namespace physmem::conformance
