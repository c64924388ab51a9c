// SPDX-License-Identifier: MIT
#include "viewer/snapshot_message.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "analyzer/model/region.h"
#include "formats/emit/flags.h"
#include "program/printable.h"
#include "viewer/ram_message.h"
#include "viewer/view.h"

namespace physmem::view {
namespace {

using nlohmann::json;

constexpr std::uint32_t kSnapshot = 4;
constexpr std::string_view kPlace = "<!--SNAPSHOT-->";

/// As in /proc/PID/maps.
std::string permissions(std::uint64_t flags) {
  std::string text = "---p";
  if ((flags & PM_VMA_READ) != 0) text[0] = 'r';
  if ((flags & PM_VMA_WRITE) != 0) text[1] = 'w';
  if ((flags & PM_VMA_EXEC) != 0) text[2] = 'x';
  if ((flags & PM_VMA_SHARED) != 0) text[3] = 's';
  return text;
}

/// USS is not known of a process that the collector could not read.
json sizes_of(const FrameRuns::Owner& owner, const ShownSnapshot& shown) {
  const ProcessSizes known = shown.unread.sizes().of(owner.tgid);
  if (!known.rss || owner.resident != 0)
    return {{"resident", owner.resident}, {"unique", owner.unique}, {"swapped", owner.swapped}};
  const auto pages = [&](std::uint64_t kib) {
    return kib * 1024 / shown.mapped.header().page_size.bytes;
  };
  json sizes{{"resident", pages(*known.rss)}, {"swapped", pages(known.swap.value_or(0))}};
  if (known.uss) sizes["unique"] = pages(*known.uss);
  return sizes;
}

json owner_list(const ShownSnapshot& shown) {
  json list = json::array();
  for (const FrameRuns::Owner& owner : shown.mapped.owners()) {
    json process = sizes_of(owner, shown);
    process["tgid"] = owner.tgid;
    process["comm"] = for_picture(owner.comm);
    if (owner.uid) process["uid"] = *owner.uid;
    if (!owner.cgroup.empty()) process["cgroup"] = for_picture(owner.cgroup);
    list.push_back(std::move(process));
  }
  return list;
}

json part_list(const FrameRuns& runs) {
  json list = json::array();
  for (const FrameRuns::Part& part : runs.parts())
    list.push_back({{"process", part.owner},
                    {"start", hex(part.start)},
                    {"pages", part.pages},
                    {"unit", part.unit},
                    {"region", static_cast<std::size_t>(part.region)},
                    {"flags", permissions(part.vma_flags)}});
  return list;
}

json facts(const ShownSnapshot& shown) {
  const FrameRuns& runs = shown.mapped;
  const Header& header = runs.header();
  json units = json::array();
  for (const std::string& unit : runs.units()) units.push_back(for_picture(unit));
  json regions = json::array();
  for (std::size_t i = 0; i < kRegions; ++i) regions.push_back(name(static_cast<Region>(i)));
  json list = json::array();
  for (const std::string& note : shown.notes) list.push_back(for_picture(note));
  json all{{"page_size", header.page_size.bytes},
           {"frames_end", hex(frames_end(shown))},
           {"ram_pages", header.ram_pages.value_or(runs.frames_end())},
           {"kernel", for_picture(header.kernel)},
           {"collector", for_picture(header.collector)},
           {"time_ms", time_ms(header)},
           {"processes", owner_list(shown)},
           {"units", std::move(units)},
           {"regions", std::move(regions)},
           {"areas", part_list(runs)},
           {"runs", runs.runs().size()},
           {"notes", std::move(list)}};
  if (shown.ledger.has_runs()) all["ram"] = ram_facts(shown.ram);
  return all;
}

std::string gzip(const std::string& bytes) {
  constexpr int kGzip = 15 + 16;  // the largest window, and the gzip format
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    return {};
  std::string out;
  std::array<char, 65536> block;
  std::size_t at = 0;
  int state = Z_OK;
  while (state != Z_STREAM_END) {
    const std::size_t n = std::min<std::size_t>(bytes.size() - at, 1 << 20);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
    stream.avail_in = static_cast<uInt>(n);
    at += n;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(block.data());
      stream.avail_out = static_cast<uInt>(block.size());
      state = deflate(&stream, at == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
      out.append(block.data(), block.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

void append_base64(std::string& to, const std::string& bytes) {
  namespace iterators = boost::archive::iterators;
  using Base64 = iterators::base64_from_binary<iterators::transform_width<const char*, 6, 8>>;
  const char* begin = bytes.data();
  to.append(Base64(begin), Base64(begin + bytes.size() - bytes.size() % 3));
  if (bytes.size() % 3 == 0) return;
  // The iterators read beyond the end if the size is not a multiple of three, so this uses a padded
  // copy.
  std::string rest = bytes.substr(bytes.size() - bytes.size() % 3);
  const std::size_t n = rest.size();
  rest.resize(3);
  std::string last(Base64(rest.data()), Base64(rest.data() + 3));
  last.replace(n + 1, std::string::npos, 3 - n, '=');
  to += last;
}

json series_json(const SeriesFacts& series) {
  json notes = json::array();
  for (const std::string& note : series.notes) notes.push_back(for_picture(note));
  json facts{{"times_ms", series.times_ms}, {"notes", std::move(notes)}};
  if (!series.changes.empty()) facts["changes"] = json::parse(series.changes);
  return facts;
}

std::string dump(const json& facts) {
  return facts.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Browsers do not run an element of this type.
std::string data_element(const std::string& id) {
  return R"(<script type="application/octet-stream" id=")" + id + "\">";
}

}  // namespace

std::uint64_t time_ms(const Header& header) {
  return header.time_ns.value_or(0) / 1'000'000;
}

std::uint64_t frames_end(const ShownSnapshot& shown) {
  return std::max(shown.mapped.frames_end(), shown.ram.frames_end());
}

std::string snapshot_bytes(const ShownSnapshot& shown, std::uint16_t number) {
  const std::vector<MappedRun>& runs = shown.mapped.runs();
  std::string text = dump(facts(shown));
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string bytes;
  bytes.reserve(8 + text.size() + runs.size() * 20 + shown.ram.runs().size() * 4 * kRamColumns);
  append_u32(bytes, kSnapshot | static_cast<std::uint32_t>(number) << 16);
  append_u32(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
  for (const MappedRun& run : runs) append_u32(bytes, run.area);
  for (const MappedRun& run : runs) append_u32(bytes, run.first_page);
  for (const MappedRun& run : runs) append_u32(bytes, static_cast<std::uint32_t>(run.first_frame));
  for (const MappedRun& run : runs) append_u32(bytes, run.pages);
  for (const MappedRun& run : runs) append_u32(bytes, run.mappings);
  if (shown.ledger.has_runs()) append_ram_columns(bytes, shown.ram);
  return bytes;
}

std::string snapshot_hello(const Header& header, std::uint64_t frames_end,
                           const SeriesFacts& series) {
  const std::uint64_t ram_pages = header.ram_pages.value_or(frames_end);
  return dump({{"hello",
                {{"mode", "snapshot"},
                 {"source", for_picture(header.collector)},
                 {"arch", for_picture(header.arch)},
                 {"kernel", for_picture(header.kernel)},
                 {"page_size", header.page_size.bytes},
                 {"memory_bytes", ram_pages * header.page_size.bytes},
                 {"frames_end", hex(frames_end)},
                 {"wall_ms", time_ms(header)},
                 {"utc_offset_min", 0},
                 {"areas", json::array()},
                 {"history_from", 0},
                 {"recording", true},
                 {"series", series_json(series)}}}});
}

Result<std::string> page_with(const std::string& page, const std::vector<std::string>& snapshots,
                              const SeriesFacts& series) {
  const std::size_t place = page.find(kPlace);
  if (place == std::string::npos)
    return Error{Error::Kind::kIo,
                 "the embedded page has no placeholder for a snapshot: broken build"};
  std::string whole = page.substr(0, place);
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    whole += data_element(i == 0 ? "snapshot" : "snapshot-" + std::to_string(i));
    append_base64(whole, gzip(snapshots[i]));
    whole += "</script>";
  }
  if (snapshots.size() > 1 || !series.notes.empty()) {
    whole += data_element("series");
    append_base64(whole, dump(series_json(series)));
    whole += "</script>";
  }
  whole.append(page, place + kPlace.size());
  return whole;
}

}  // namespace physmem::view
