// SPDX-License-Identifier: MIT
#include "viewer/command.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "analyzer/parse/line_cursor.h"
#include "paging/fold/page_activity.h"
#include "program/option_value.h"

namespace physmem::view {
namespace {

using nlohmann::json;

/// Reads fields of a message and keeps the first error.
class Fields {
 public:
  explicit Fields(const json& message) : message_(message) {}

  std::uint64_t hex(const char* key) {
    const json* value = find(key);
    std::uint64_t number = 0;
    if (value == nullptr || !value->is_string() ||
        !parse_hex(value->get_ref<const std::string&>(), number))
      expect(key, "a hexadecimal number in quotes");
    return number;
  }

  /// The block of 2048 frames or slots, which has 32 bits in messages.
  std::uint64_t block(const char* key) {
    const std::uint64_t block = hex(key) / ActivityBlock::kPages;
    if (block > std::numeric_limits<std::uint32_t>::max())
      expect(key, "a number below 80000000000");
    return block;
  }

  template <class Number>
  Number number(const char* key) {
    const json* value = find(key);
    if (value != nullptr && value->is_number_unsigned() &&
        value->get<std::uint64_t>() <= std::numeric_limits<Number>::max())
      return value->get<Number>();
    expect(key, "a number of at most " + std::to_string(std::numeric_limits<Number>::max()));
    return 0;
  }

  /// False if absent.
  bool flag(const char* key) {
    const json* value = find(key);
    if (value != nullptr && !value->is_boolean()) expect(key, "true or false");
    return value != nullptr && *value == true;
  }

  std::string text(const char* key) {
    const json* value = find(key);
    if (value != nullptr && value->is_string()) return value->get<std::string>();
    expect(key, "a text");
    return {};
  }

  void expect(const char* key, const std::string& what) {
    if (problem_.empty()) problem_ = fmt::format("\"{}\": expected {}", key, what);
  }

  Result<Command> done(Command command) const {
    if (problem_.empty()) return command;
    return Error{Error::Kind::kBadInput, problem_};
  }

 private:
  const json* find(const char* key) const {
    const auto it = message_.find(key);
    return it == message_.end() ? nullptr : &*it;
  }

  const json& message_;
  std::string problem_;
};

WantViews views(const json& message, Fields& fields) {
  WantViews shown;
  const auto names = message.find("names");
  if (names == message.end() || !names->is_array()) {
    fields.expect("names", "a list of log, pages, processes, slots, statistics");
    return shown;
  }
  for (const json& name : *names) {
    if (name == "log")
      shown.log = true;
    else if (name == "pages")
      shown.pages = true;
    else if (name == "processes")
      shown.processes = true;
    else if (name == "slots")
      shown.slots = true;
    else if (name == "statistics")
      shown.statistics = true;
    else
      fields.expect("names", "log, pages, processes, slots or statistics");
  }
  return shown;
}

Result<Command> want(const json& message) {
  Fields fields(message);
  const std::string what = fields.text("want");
  if (what == "pages") {
    const std::uint64_t block = fields.block("begin");
    return fields.done(WantPages{block});
  }
  if (what == "slots") {
    const auto area = fields.number<std::uint8_t>("area");
    const std::uint64_t block = fields.block("begin");
    return fields.done(WantSlots{area, block});
  }
  if (what == "log" && message.contains("before")) {
    const auto sequence = fields.number<std::uint64_t>("before");
    const auto time_ms = fields.number<std::uint32_t>("t");
    return fields.done(WantLogBefore{sequence, time_ms});
  }
  if (what == "log") {
    const auto tgid = fields.number<std::uint32_t>("tgid");
    const bool all = fields.flag("all");
    return fields.done(WantLog{tgid, all});
  }
  if (what == "process") {
    const auto tgid = fields.number<std::uint32_t>("tgid");
    return fields.done(WantProcess{tgid});
  }
  if (what == "moment") {
    const auto number = fields.number<std::uint16_t>("number");
    return fields.done(WantMoment{number});
  }
  if (what == "views") {
    const WantViews shown = views(message, fields);
    return fields.done(shown);
  }
  fields.expect("want", "pages, slots, process, log, moment or views");
  return fields.done({});
}

Result<Command> inspect(const json& message) {
  Fields fields(message);
  const std::string what = fields.text("inspect");
  Inspect command;
  command.at = fields.hex("at");
  if (what == "slot") {
    command.what = Inspect::What::kSlot;
    command.area = fields.number<std::uint8_t>("area");
  } else if (what == "address") {
    command.what = Inspect::What::kAddress;
    command.tgid = fields.number<std::uint32_t>("tgid");
  } else if (what != "frame") {
    fields.expect("inspect", "frame, slot or address");
  }
  return fields.done(command);
}

Result<Command> cursor(const json& message) {
  Fields fields(message);
  if (message.at("cursor") == "live") return Command{MoveCursor{}};
  const auto time_ms = fields.number<std::uint32_t>("cursor");
  const bool is_playing = fields.flag("play");
  return fields.done(MoveCursor{time_ms, is_playing});
}

Result<Command> replay(const json& message) {
  Fields fields(message);
  const json& wanted = message.at("replay");
  Replay command;
  if (wanted.is_object() && wanted.contains("speed")) {
    const json& speed = wanted.at("speed");
    const double value = speed.is_number() ? speed.get<double>() : 0;
    if (!(value > 0) || value > kMaxSpeed)
      fields.expect("speed", "a number above 0, at most 1000000");
    command.speed = value;
  }
  if (wanted.is_object() && wanted.contains("paused")) {
    if (!wanted.at("paused").is_boolean()) fields.expect("paused", "true or false");
    command.paused = wanted.at("paused") == true;
  }
  if (!command.speed && !command.paused) fields.expect("replay", "{\"speed\":…} or {\"paused\":…}");
  return fields.done(command);
}

}  // namespace

Result<Command> parse_command(std::string_view text) {
  if (text.size() > kMaxCommandBytes)
    return Error{Error::Kind::kBadInput, fmt::format("a message of {} bytes: expected at most {}",
                                                     text.size(), kMaxCommandBytes)};
  const json message = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!message.is_object())
    return Error{Error::Kind::kBadInput, "found a message that is not a JSON object"};
  using Reader = Result<Command> (*)(const json&);
  constexpr std::pair<const char*, Reader> kReaders[]{
      {"want", want}, {"inspect", inspect}, {"cursor", cursor}, {"replay", replay}};
  for (const auto& [key, read] : kReaders)
    if (message.contains(key)) return read(message);
  return Error{Error::Kind::kBadInput,
               "a message without \"want\", \"inspect\", \"cursor\" or \"replay\""};
}

}  // namespace physmem::view
