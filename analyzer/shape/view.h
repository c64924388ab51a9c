// SPDX-License-Identifier: MIT
// The user's view options, and the form of names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "analyzer/model/header.h"
#include "program/printable.h"

namespace physmem {

struct View {
  Header header;                ///< of the current snapshot
  std::string source;           ///< its file
  bool is_virtual = false;      ///< sizes requested, not resident pages
  bool is_full = false;         ///< all columns, not only the paper's
  bool names_pids = false;      ///< processes have a PID also if the paper's columns have none
  bool is_on_terminal = false;  ///< text for people, not a form of the paper
};

/// "S X r w x B" in that order, '.' for flags that are not set (figures 4 and 9 of the paper).
std::string flag_symbols(std::uint64_t vma_flags);

/// A unit's name in reports: NULL if it has none. In version 1 the file name ends before its first
/// dot, as in the paper's alerts and page dump.
std::string unit_name(std::string_view unit, const Header& header);
/// The same; on a terminal, memory without a unit is [anon].
std::string unit_name(std::string_view unit, const View& view);

/// "Linux 6.1.0 (x86_64), 2026-11-20 14:03:12 UTC, collected by proc".
std::string origin(const Header& header);

/// Whether the snapshot is of the machine that this program runs on. Only then user ids have the
/// names of its users.
bool is_of_this_machine(const Header& header);

/// "2026-11-20T14:03:12Z".
std::string utc_text(std::uint64_t time_ns);

/// "+5", "-3", "0".
std::string difference(std::uint64_t before, std::uint64_t after);
double mib(std::uint64_t pages, PageSize page_size);
/// 0 of nothing is 0 %.
double percent(double part, double whole);
double percent(std::uint64_t part, std::uint64_t whole);

/// Pages as KiB, MiB, GiB or TiB: "12 KiB", "3.4 MiB".
std::string human_size(std::uint64_t pages, PageSize page_size);

}  // namespace physmem
