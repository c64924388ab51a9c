// SPDX-License-Identifier: MIT
// Shows the page in a browser of whoever started the program.
#pragma once

#include <string>

#include "program/privileges.h"
#include "program/unique_fd.h"

namespace physmem::view {

/// The address has a token, and command lines can be read by everybody; so the browser is given a
/// file that only its user can read, which leads there. The file is gone when this is.
class Browser {
 public:
  Browser() = default;
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  /// As `identity`, which this process has become where it `was_root`. What is wrong, or nothing.
  std::string open(const Identity& identity, bool was_root, const std::string& url);

 private:
  std::string write_page(const std::string& url);

  std::string page_;
  UniqueFd
      page_file_;  ///< locked while it is open: no other run takes it for one that was left behind
};

}  // namespace physmem::view
