// SPDX-License-Identifier: MIT
// physmem-view --html embeds any bytes as a snapshot in its page. It adds one script element of
// base64, which is the gzip of the message. Names in the message are UTF-8 without control
// characters.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analyzer/analyze/census.h"
#include "analyzer/analyze/ram/frame_runs.h"
#include "analyzer/parse/snapshot_reader.h"
#include "tests/fuzz/check.h"
#include "viewer/snapshot_message.h"

namespace {

using namespace physmem;
using nlohmann::json;

constexpr std::string_view kBefore =
    R"(<p>before</p><script type="application/octet-stream" id="snapshot">)";
constexpr std::string_view kAfter = "</script><p>after</p>";

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  PHYSMEM_CHECK(text.size() % 4 == 0);
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  text.remove_suffix(padding);
  std::string bytes;
  unsigned bits = 0;
  int n = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    PHYSMEM_CHECK(digit != std::string_view::npos);
    bits = bits << 6 | static_cast<unsigned>(digit);
    n += 6;
    if (n >= 8) bytes += static_cast<char>(bits >> (n -= 8) & 0xFF);
  }
  return bytes;
}

std::string inflated(std::string& packed, std::size_t size) {
  std::string out(size + 1, '\0');
  z_stream stream{};
  PHYSMEM_CHECK(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  PHYSMEM_CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

void check_page(const std::string& message) {
  const auto page = view::page_with("<p>before</p><!--SNAPSHOT--><p>after</p>", {message}, {});
  PHYSMEM_CHECK(page && page->starts_with(kBefore) && page->ends_with(kAfter));
  const std::string_view base64 =
      std::string_view(*page).substr(kBefore.size(), page->size() - kBefore.size() - kAfter.size());
  std::string packed = from_base64(base64);
  PHYSMEM_CHECK(inflated(packed, message.size()) == message);
}

void check_text(const json& text) {
  for (const char c : text.get<std::string>())
    PHYSMEM_CHECK(static_cast<unsigned char>(c) >= ' ' && c != 0x7F);
}

/// Checks the part on the whole of RAM.
void check_ram(const json& facts, const RamRuns& ram) {
  std::size_t owners = 0;
  for (const json& group : facts["owners"]) {
    const auto names = group["names"].get<std::string>();
    owners += group["count"].get<std::size_t>();
    PHYSMEM_CHECK(static_cast<std::size_t>(std::count(names.begin(), names.end(), '\n')) + 1 ==
                  group["count"]);
  }
  PHYSMEM_CHECK(owners == ram.owners().size() && facts["runs"] == ram.runs().size());
  std::uint64_t frames = 0;
  for (const FrameUse& run : ram.runs()) {
    PHYSMEM_CHECK(run.pages != 0 && run.owner <= owners && run.cgroup <= owners);
    frames += run.pages;
  }
  PHYSMEM_CHECK(frames == ram.frames_end());
}

/// Checks the rules of protocol.md, "Snapshots".
void check_message(const std::string& message, const view::ShownSnapshot& shown) {
  const FrameRuns& runs = shown.mapped;
  PHYSMEM_CHECK(message.size() >= 8 && message.starts_with(std::string("\4\0\7\0", 4)));
  std::size_t length = 0;
  for (std::size_t i = 4; i-- > 0;)
    length = length << 8 | static_cast<unsigned char>(message[4 + i]);
  const std::size_t numbers = runs.runs().size() * 5 + shown.ram.runs().size() * 5;
  PHYSMEM_CHECK(length % 4 == 0 && message.size() == 8 + length + numbers * 4);
  const json facts = json::parse(message.substr(8, length), nullptr, false);
  PHYSMEM_CHECK(facts.is_object() && facts["runs"] == runs.runs().size());
  PHYSMEM_CHECK(facts.contains("ram") == !shown.ram.runs().empty());
  for (const json& process : facts["processes"]) check_text(process["comm"]);
  for (const json& unit : facts["units"]) check_text(unit);
  for (const json& note : facts["notes"]) check_text(note);
  for (const char* name : {"kernel", "collector"}) check_text(facts[name]);
  for (const json& area : facts["areas"]) {
    PHYSMEM_CHECK(area["process"] < facts["processes"].size() &&
                  area["unit"] < facts["units"].size());
    PHYSMEM_CHECK(area["region"] < facts["regions"].size());
  }
  for (const MappedRun& run : runs.runs()) {
    PHYSMEM_CHECK(run.area < facts["areas"].size() && run.pages != 0);
    PHYSMEM_CHECK(run.first_frame + run.pages <= runs.frames_end());
  }
  if (facts.contains("ram")) check_ram(facts["ram"], shown.ram);
}

void check(std::string_view text) {
  const auto source = text_source(text);
  SnapshotReader reader(*source, "f", {.keep_going = true});
  view::ShownSnapshot shown;
  Census census(shown.analyses());
  const auto found = reader.next(census);
  if (!found || !*found) return;
  shown.notes = {reader.notes().first_problem, std::string(text.substr(0, 99))};
  const std::string message = view::snapshot_bytes(shown, 7);
  check_message(message, shown);
  check_page(message);
  const std::string hello =
      view::snapshot_hello(shown.mapped.header(), view::frames_end(shown), {{5}, shown.notes});
  PHYSMEM_CHECK(json::parse(hello, nullptr, false).is_object());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  check(input);
  check_page(std::string(input));
  return 0;
}
