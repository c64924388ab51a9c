// SPDX-License-Identifier: MIT
// How a program becomes a daemon, alone and without rights.
#pragma once

#include <string>

#include "program/result.h"
#include "program/unique_fd.h"

namespace physmem::daemon {

/// Forks once; the parent ends, with the status that the child tells. In the child: a session of
/// its own, umask 0, "/" as working directory. It keeps standard error until it is ready, so that
/// what goes wrong before reaches whoever called.
class Background {
 public:
  static Result<Background> enter();
  /// The parent ends with `status`. With 0 the child lets go of the terminal.
  void tell(int status);

 private:
  explicit Background(UniqueFd parent) : parent_(std::move(parent)) {}
  UniqueFd parent_;
};

/// The file with this process's id, locked as long as the process lives; an error when another one
/// holds it, or when another user could write to it. The descriptor is read-only, so that the
/// daemon cannot change the file once it has given up root.
Result<UniqueFd> hold_pid_file(const std::string& path);

/// The rights of `user` from now on, for good. Nothing happens when this is not root.
Status drop_privileges(const std::string& user);

/// Tells systemd, if that started this program as Type=notify.
void notify_service_manager(const char* state);

}  // namespace physmem::daemon
