// SPDX-License-Identifier: MIT
// Profiles as text: the assignment's, and CSV.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/report/csv_field.h"
#include "monitor/profile.h"
#include "program/result.h"

namespace physmem::profile {

struct TextReading {
  std::vector<Sample> samples;
  bool has_end = false;  ///< the line "read N profiled data", and N is right
};

/// Lines of four numbers (jiffies, minor faults, major faults, CPU time), then "read N profiled
/// data". `name`: of the text, for errors.
Result<TextReading> parse_profile_text(std::string_view text, const std::string& name);

/// The same text, to the letter of the assignment.
void write_text(std::ostream& out, const std::vector<Sample>& samples);

/// One line a sample; the columns are in formats/report-columns.md. Needs a profile with a clock.
void write_csv(std::ostream& out, const Profile& profile);

/// A profile and the name it goes by.
struct LabelledProfile {
  std::string label;
  Profile profile;
};

/// One line a profile, its label as number of processes. Needs profiles with a clock.
void write_totals_csv(std::ostream& out, const std::vector<LabelledProfile>& profiles,
                      const CsvStyle& style = {});

}  // namespace physmem::profile
