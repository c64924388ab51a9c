// SPDX-License-Identifier: MIT
#include "tracer/daemon/messages.h"

#include <syslog.h>

#include <cstdio>

namespace physmem::daemon {

void Messages::say(const std::string& text) const {
  if (is_syslog_)
    ::syslog(LOG_NOTICE, "%s", text.c_str());
  else
    std::fprintf(stderr, "pftraced: %s\n", text.c_str());
}

void Messages::use_syslog() {
  ::openlog("pftraced", LOG_PID | LOG_NDELAY, LOG_DAEMON);
  is_syslog_ = true;
}

}  // namespace physmem::daemon
