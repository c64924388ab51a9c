// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem::conformance {

/// Changes a setting of the machine, below /sys or /proc/sys, and restores it at the end of the
/// test.
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
