// SPDX-License-Identifier: MIT
#include "tracer/daemon/messages.h"

#include <syslog.h>

#include <cstdio>

#include "program/printable.h"

namespace physmem::daemon {

void Messages::say(const std::string& text) const {
  if (is_syslog_)
    ::syslog(LOG_NOTICE, "%s", for_terminal(text).c_str());
  else
    std::fputs(message_line("pftraced", text).c_str(), stderr);
}

void Messages::use_syslog() {
  ::openlog("pftraced", LOG_PID | LOG_NDELAY, LOG_DAEMON);
  is_syslog_ = true;
}

}  // namespace physmem::daemon
