// SPDX-License-Identifier: MIT
// Names of cgroups for people.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/result.h"

namespace physmem {

/// What a user calls containers, pods and other cgroups.
class CgroupNames {
 public:
  /// An id may be shortened to this many digits.
  static constexpr std::size_t kLeastDigits = 12;

  /// Lines of an id or path and a name, as `docker ps --format '{{.ID}} {{.Names}}'` prints them.
  /// The error says what was expected.
  static Result<CgroupNames> read(std::istream& lines);
  /// The name of an id or path; empty: it has none.
  std::string_view of(std::string_view id) const;

 private:
  std::vector<std::pair<std::string, std::string>> names_;
};

/// The last part of a cgroup's path. Of a container, what runs it and its name, or without one the
/// first 12 digits of its id: "docker 3f2a9c0d1e2f"; of a pod, its name or id. "/" is the root.
std::string cgroup_title(std::string_view path, const CgroupNames& names = {});

}  // namespace physmem
