// SPDX-License-Identifier: MIT
// Names of cgroups for people.
#pragma once

#include <string>
#include <string_view>

namespace physmem {

/// The last part of a cgroup's path. Of a container, what runs it and the first 12 digits of its
/// id: "docker 3f2a9c0d1e2f"; of a pod, its id: "pod 5ab0…". "/" is the root.
std::string cgroup_title(std::string_view path);

}  // namespace physmem
