// SPDX-License-Identifier: MIT
// Opens the page in the browser of the user who started the program.
#pragma once

#include <string>

#include "program/privileges.h"
#include "program/unique_fd.h"

namespace physmem::view {

/// The address contains the token, and command lines are public. The browser therefore gets a file
/// that redirects to the address and that only its user can read. The destructor removes the file.
class Browser {
 public:
  Browser() = default;
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// Runs the browser as `identity`, to which this process has changed if it `was_root`. Returns an
  /// error message, or an empty string.
  std::string open(const Identity& identity, bool was_root, const std::string& url);

 private:
  std::string write_page(const std::string& url);

  std::string page_;
  UniqueFd page_file_;  ///< locked while open, so that other runs do not remove it as stale
};

}  // namespace physmem::view
