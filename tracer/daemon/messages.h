// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace physmem::daemon {

/// To standard error, until use_syslog().
class Messages {
 public:
  void say(const std::string& text) const;
  void use_syslog();

 private:
  bool is_syslog_ = false;
};

}  // namespace physmem::daemon
