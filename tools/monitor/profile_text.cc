// SPDX-License-Identifier: MIT
#include "tools/monitor/profile_text.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <ostream>

namespace physmem::monitor {
namespace {

/// Parses a line from left to right.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }
  std::optional<std::int64_t> number() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    const bool is_word = length == rest_.size() || is_blank(rest_[length]);
    if (error != std::errc{} || !is_word) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }
  bool skip(std::string_view words) {
    skip_blanks();
    if (!rest_.starts_with(words)) return false;
    rest_.remove_prefix(words.size());
    return true;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

std::optional<Sample> sample_of(std::string_view line) {
  Words words(line);
  const auto jiffies = words.number();
  const auto minor = words.number();
  const auto major = words.number();
  const auto cpu = words.number();
  if (!jiffies || !minor || !major || !cpu || !words.at_end()) return std::nullopt;
  return Sample{*jiffies, *minor, *major, *cpu};
}

/// N of "read N profiled data".
std::optional<std::int64_t> end_of(std::string_view line) {
  Words words(line);
  if (!words.skip("read")) return std::nullopt;
  const auto count = words.number();
  if (!count || !words.skip("profiled data") || !words.at_end()) return std::nullopt;
  return count;
}

std::string shown(std::string_view line) {
  constexpr std::size_t kMax = 60;
  std::string text = "\"";
  for (const char c : line.substr(0, kMax)) text += c >= ' ' && c <= '~' ? c : '?';
  return text + (line.size() > kMax ? "…\"" : "\"");
}

Error wrong_line(const std::string& name, std::size_t number, std::string_view line,
                 const char* expected) {
  return {Error::Kind::kBadInput, name + ":" + std::to_string(number) + ": found " + shown(line) +
                                      ", expected " + expected};
}

constexpr const char* kSampleGrammar =
    "four whole numbers: jiffies, minor faults, major faults, CPU time (this is not a profile)";

/// Uses neither fmt, which a program for a guest lacks, nor iostreams, which depend on the locale.
template <class... Values>
void print(std::ostream& out, const char* format, Values... values) {
  std::array<char, 256> line;
  const int size = std::snprintf(line.data(), line.size(), format, values...);
  out.write(line.data(), size);
}

long long wide(std::int64_t value) {
  return value;
}

}  // namespace

Result<TextReading> parse_profile_text(std::string_view text, const std::string& name) {
  TextReading reading;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (Words(line).at_end()) continue;
    if (reading.has_end)
      return wrong_line(name, number, line, "nothing after the line \"read N profiled data\"");
    if (const auto sample = sample_of(line)) {
      reading.samples.push_back(*sample);
    } else if (const auto count = end_of(line)) {
      if (*count != static_cast<std::int64_t>(reading.samples.size()))
        return wrong_line(
            name, number, line,
            ("as many samples as there are: " + std::to_string(reading.samples.size())).c_str());
      reading.has_end = true;
    } else {
      return wrong_line(name, number, line, kSampleGrammar);
    }
  }
  return reading;
}

void write_text(std::ostream& out, const std::vector<Sample>& samples) {
  for (const Sample& s : samples)
    print(out, "%lld %lld %lld %lld\n", wide(s.jiffies), wide(s.minor), wide(s.major), wide(s.cpu));
  print(out, "read %zu profiled data\n", samples.size());
}

void write_csv(std::ostream& out, const Profile& profile) {
  out << "Time s,Jiffies,Minor faults,Major faults,CPU s,CPU %\n";
  for (std::size_t i = 0; i < profile.samples().size(); ++i) {
    const Sample& s = profile.samples()[i];
    print(out, "%.3f,%lld,%lld,%lld,%.6f,%.2f\n", profile.seconds(i), wide(s.jiffies),
          wide(s.minor), wide(s.major), profile.cpu_seconds(s), profile.cpu_percent(i));
  }
}

void write_totals_csv(std::ostream& out, const std::vector<LabelledProfile>& profiles,
                      const CsvStyle& style) {
  out << "N,CPU %,Completion s,Minor faults,Major faults\n";
  for (const auto& [label, profile] : profiles) {
    const Totals totals = profile.totals();
    std::string field;
    append_csv_field(field, csv_text(label, style));
    out << field;
    print(out, ",%.2f,%.3f,%lld,%lld\n", totals.cpu_percent(), totals.seconds, wide(totals.minor),
          wide(totals.major));
  }
}

}  // namespace physmem::monitor
