// SPDX-License-Identifier: MIT
// Turns a process into a single, unprivileged daemon.
#pragma once

#include <string>

#include "program/exit.h"
#include "program/result.h"
#include "program/unique_fd.h"

namespace physmem::daemon {

/// Forks once; the parent exits with the status that the child reports. The child has its own
/// session, umask 0 and "/" as working directory. It keeps standard error until it is ready, so
/// that the caller sees startup errors.
class Background {
 public:
  static Result<Background> enter();
  /// The parent exits with `status`. With kDone, the child also detaches from the terminal.
  void report(Exit status);

 private:
  explicit Background(UniqueFd parent) : parent_(std::move(parent)) {}
  UniqueFd parent_;
};

/// Creates the file with this process's id and keeps it locked until the process ends. Fails if
/// another process holds the lock or another user could write to the file. The descriptor is
/// read-only, so that the daemon cannot change the file after it has dropped root.
Result<UniqueFd> hold_pid_file(const std::string& path);

/// Switches permanently to the privileges of `user`. Does nothing if not root.
Status drop_privileges(const std::string& user);

/// Notifies systemd if it started this program as Type=notify.
void notify_service_manager(const char* state);

}  // namespace physmem::daemon
