// SPDX-License-Identifier: MIT
#include "tools/pftraced/messages.h"

#include <syslog.h>

#include <cstdio>

#include "program/printable.h"
#include "tools/pftraced/options.h"

namespace physmem::daemon {

void Messages::report(const std::string& text) const {
  if (is_syslog_)
    ::syslog(LOG_NOTICE, "%s", for_terminal(text).c_str());
  else
    std::fputs(message_line(kProgramName, text).c_str(), stderr);
}

Exit Messages::report_error(const Error& error) const {
  report(error.text);
  return exit_of(error.kind);
}

void Messages::use_syslog() {
  ::openlog(kProgramName, LOG_PID | LOG_NDELAY, LOG_DAEMON);
  is_syslog_ = true;
}

}  // namespace physmem::daemon
