// SPDX-License-Identifier: MIT
#include "analyzer/cli/snapshot_at.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "analyzer/parse/open_source.h"
#include "analyzer/parse/snapshot_reader.h"
#include "program/printable.h"

namespace physmem {
namespace {

class Times : public Events {
 public:
  void on_header(const Header& header) override {
    const auto seconds = static_cast<std::int64_t>(header.time_ns.value_or(0) / 1'000'000'000);
    all.push_back(seconds);
    has_all = has_all && header.time_ns.has_value();
  }
  std::vector<std::int64_t> all;
  bool has_all = true;
};

class FirstHeader : public Events {
 public:
  void on_header(const Header& found) override { header = found; }
  Header header;
};

}  // namespace

Result<Header> first_header(const std::string& input) {
  const auto source = open_source(input, Undo::kAll);
  if (!source) return source.error();
  SnapshotReader reader(**source, input, {.keep_going = true});
  FirstHeader events;
  if (const auto found = reader.next(events); !found) return found.error();
  return events.header;
}

Result<std::size_t> snapshot_at(const std::string& input, const Moment& moment) {
  std::error_code error;
  const auto status = std::filesystem::status(input, error);
  if (!error && !std::filesystem::is_regular_file(status))
    return Error{Error::Kind::kUsage,
                 "--at: found " + (input == "-" ? "standard input" : in_quotes(input)) +
                     ", expected a regular file, because the recording is read twice"};
  const auto source = open_source(input, Undo::kAll);
  if (!source) return source.error();
  SnapshotReader reader(**source, input, {.keep_going = true});
  Times times;
  while (true) {
    const auto more = reader.next(times);
    if (!more) return more.error();
    if (!*more) break;
  }
  const std::string option = in_quotes(input) + ": --at: ";
  if (!times.has_all)
    return Error{Error::Kind::kBadInput, option + "found snapshots without times"};
  const auto index = index_at(moment, times.all);
  if (!index) return Error{index.error().kind, option + index.error().text};
  return *index + 1;
}

Result<std::size_t> pass_to(const std::optional<Moment>& moment, const std::string& input,
                            SnapshotReader& reader) {
  if (!moment) return std::size_t{0};
  auto number = snapshot_at(input, *moment);
  if (!number) return number;
  Events passed;
  for (std::size_t i = 1; i < *number; ++i)
    if (const auto more = reader.next(passed); !more) return more.error();
  return number;
}

}  // namespace physmem
