// SPDX-License-Identifier: MIT
// Profiles as text: the assignment's format and CSV.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/csv_field.h"
#include "program/result.h"
#include "tools/monitor/profile.h"

namespace physmem::monitor {

struct TextReading {
  std::vector<Sample> samples;
  bool has_end = false;  ///< the line "read N profiled data" is present, with the correct N
};

/// Parses lines of four numbers (jiffies, minor faults, major faults, CPU time), then "read N
/// profiled data". `name` is used in errors.
Result<TextReading> parse_profile_text(std::string_view text, const std::string& name);

/// Writes the same format, exactly as the assignment defines it.
void write_text(std::ostream& out, const std::vector<Sample>& samples);

/// One line per sample. formats/report-columns.md describes the columns. Requires a profile with a
/// clock.
void write_csv(std::ostream& out, const Profile& profile);

/// A profile and its label.
struct LabelledProfile {
  std::string label;
  Profile profile;
};

/// One line per profile, with its label as number of processes. Requires profiles with a clock.
void write_totals_csv(std::ostream& out, const std::vector<LabelledProfile>& profiles,
                      const CsvStyle& style = {});

}  // namespace physmem::monitor
