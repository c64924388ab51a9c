// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem::daemon {

/// Prints to standard error until use_syslog() is called.
class Messages {
 public:
  void say(const std::string& text) const;
  void use_syslog();

 private:
  bool is_syslog_ = false;
};

}  // namespace physmem::daemon
