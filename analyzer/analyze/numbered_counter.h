// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem {

/// The parts of the name of a counter of one process or cgroup, such as
/// "process.371.before.rss_kB".
struct NumberedCounter {
  std::uint64_t number = 0;  ///< process id, or the inode of a cgroup
  std::string_view name;     ///< "before.rss_kB"; a part of the text that was given
};

/// Nothing: the name does not begin with `front` and a number.
inline std::optional<NumberedCounter> numbered_counter(std::string_view front,
                                                       std::string_view name) {
  if (!name.starts_with(front)) return std::nullopt;
  name.remove_prefix(front.size());
  NumberedCounter counter;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), counter.number);
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  if (error != std::errc() || !name.starts_with('.')) return std::nullopt;
  counter.name = name.substr(1);
  return counter;
}

inline std::optional<NumberedCounter> process_counter(std::string_view name) {
  return numbered_counter("process.", name);
}
inline std::optional<NumberedCounter> cgroup_counter(std::string_view name) {
  return numbered_counter("cgroup.", name);
}

}  // namespace physmem
