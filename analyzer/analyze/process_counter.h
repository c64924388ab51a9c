// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace physmem {

/// The parts of the name of a counter of one process, such as "process.371.before.rss_kB".
struct ProcessCounter {
  std::uint64_t pid = 0;
  std::string_view name;  ///< "before.rss_kB"; a part of the text that was given
};

/// Nothing: it is another counter.
inline std::optional<ProcessCounter> process_counter(std::string_view name) {
  constexpr std::string_view kFront = "process.";
  if (!name.starts_with(kFront)) return std::nullopt;
  name.remove_prefix(kFront.size());
  ProcessCounter counter;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), counter.pid);
  name.remove_prefix(static_cast<std::size_t>(end - name.data()));
  if (error != std::errc() || !name.starts_with('.')) return std::nullopt;
  counter.name = name.substr(1);
  return counter;
}

}  // namespace physmem
