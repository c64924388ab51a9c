// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/exit.h"

namespace physmem::daemon {

/// Prints to standard error until use_syslog() is called.
class Messages {
 public:
  void report(const std::string& text) const;
  /// Reports the error and returns its exit status.
  Exit report_error(const Error& error) const;
  void use_syslog();

 private:
  bool is_syslog_ = false;
};

}  // namespace physmem::daemon
