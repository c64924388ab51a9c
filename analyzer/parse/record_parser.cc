// SPDX-License-Identifier: MIT
#include "analyzer/parse/record_parser.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <set>
#include <string_view>

#include "program/printable.h"

namespace physmem {
namespace {

struct KeyValue {
  std::string_view key;
  std::string_view value;
  std::size_t at = 0;  ///< of the value in the line
};

/// Splits "key=value, key=value" from the cursor to the end of the line.
std::vector<KeyValue> key_values(LineCursor& line) {
  const std::string_view text = line.line();
  std::size_t from = line.position();
  std::vector<KeyValue> pairs;
  while (from < text.size() && line.ok()) {
    from = text.find_first_not_of(" ,", from);
    if (from == std::string_view::npos) break;
    const std::size_t end = std::min(text.find(',', from), text.size());
    const std::string_view pair = text.substr(from, end - from);
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos)
      line.fail(from, fmt::format("found {}, expected key=value", in_quotes(pair)));
    else
      pairs.push_back({pair.substr(0, equals), pair.substr(equals + 1), from + equals + 1});
    from = end;
  }
  return pairs;
}

/// Parses the value of one header key.
class HeaderField {
 public:
  HeaderField(LineCursor& line, const KeyValue& pair) : line_(line), pair_(pair) {}

  std::uint64_t dec() { return number(parse_dec, "a decimal number below 2^64"); }
  std::uint64_t hex() { return number(parse_hex, "a hexadecimal number below 2^64"); }

  /// True for `yes`, false for `no`; anything else is a flaw.
  bool choice(std::string_view yes, std::string_view no) {
    if (pair_.value != yes && pair_.value != no) wrong(fmt::format("{} or {}", yes, no));
    return pair_.value == yes;
  }

  void wrong(std::string_view expected) {
    line_.fail(pair_.at, fmt::format("{}: found {}, expected {}", pair_.key, in_quotes(pair_.value),
                                     expected));
  }

 private:
  std::uint64_t number(bool (*parse)(std::string_view, std::uint64_t&), const char* kind) {
    std::uint64_t value = 0;
    if (!parse(pair_.value, value)) wrong(kind);
    return value;
  }

  LineCursor& line_;
  const KeyValue& pair_;
};

void set_page_size(Header& header, HeaderField field) {
  const std::uint64_t bytes = field.dec();
  if (!std::has_single_bit(bytes) || bytes < 1024 || bytes > (1u << 24))
    field.wrong("a power of two from 1024 to 16777216");
  else
    header.page_size.bytes = bytes;
}

void set_hz(Header& header, HeaderField field) {
  header.hz = field.dec();
  if (header.hz == 0) field.wrong("a number above 0");
}

void set_ram_pages(Header& header, HeaderField field) {
  header.ram_pages = field.dec();
  if (*header.ram_pages > kMaxFrames) field.wrong(fmt::format("at most {}", kMaxFrames));
}

void set_count(Header& header, std::string_view value, HeaderField field) {
  if (value == "mapcount")
    header.count = Header::Count::kMapcount;
  else if (value == "average")
    header.count = Header::Count::kAverage;
  else if (value == "refs")
    header.count = Header::Count::kRefs;
  else
    field.wrong("mapcount, average or refs");
}

void set_ram(Header& header, std::string_view value, HeaderField field) {
  if (value == "all")
    header.ram = Header::Ram::kAll;
  else if (value == "totals")
    header.ram = Header::Ram::kTotals;
  else if (value != "none")
    field.wrong("all, totals or none");
}

void set_key(Header& header, const KeyValue& pair, LineCursor& line) {
  HeaderField field(line, pair);
  const std::string_view key = pair.key;
  if (key == "arch") header.arch = pair.value;
  if (key == "kernel") header.kernel = pair.value;
  if (key == "collector") header.collector = pair.value;
  if (key == "host") header.host = line.decode(pair.value, pair.at);
  if (key == "machine_id") header.machine_id = line.decode(pair.value, pair.at);
  if (key == "boot_id") header.boot_id = line.decode(pair.value, pair.at);
  if (key == "sequence") header.sequence = field.dec();
  if (key == "page_size") set_page_size(header, field);
  if (key == "time_ns") header.time_ns = field.dec();
  if (key == "uptime_ns") header.uptime_ns = field.dec();
  if (key == "hz") set_hz(header, field);
  if (key == "ram_pages") set_ram_pages(header, field);
  if (key == "phys_mask") header.phys_mask = field.hex();
  if (key == "pte") header.raw_pte = field.choice("raw", "none");
  if (key == "prot") header.raw_prot = field.choice("raw", "none");
  if (key == "flags") header.stable_flags = field.choice("kpf", "raw");
  if (key == "count") set_count(header, pair.value, field);
  if (key == "pages") header.has_pages = field.choice("all", "none");
  if (key == "areas") header.has_areas = field.choice("all", "none");
  if (key == "ram") set_ram(header, pair.value, field);
  if (key == "ram_by") header.ram_by = pair.value;
  if (key == "files")
    header.files = field.choice("open", "named") ? Header::Files::kOpen : Header::Files::kNamed;
  if (key == "pfn") header.pfn_hidden = field.choice("hidden", "shown");
}

}  // namespace

Header parse_header(LineCursor& line) {
  Header header;
  const std::uint64_t version = line.dec("format version");
  if (line.ok() && version != 2)
    line.fail(
        3, fmt::format(
               "format version: found {}, expected 2 (is this program older than the collector?)",
               version));
  header.version = 2;
  header.stable_flags = true;
  header.count = Header::Count::kMapcount;
  header.phys_mask = ~std::uint64_t{0};
  std::set<std::string_view> keys;
  for (const KeyValue& pair : key_values(line)) {
    if (!keys.insert(pair.key).second)
      line.fail(pair.at - pair.key.size() - 1,
                fmt::format("found {} again, expected each key once", in_quotes(pair.key)));
    set_key(header, pair, line);
  }
  if (line.ok() && !header.has_areas && header.has_pages)
    line.fail(3, "areas=none: expected pages=none with it (pages belong to areas)");
  return header;
}

std::vector<Counter> parse_counters(LineCursor& line) {
  std::vector<Counter> counters;
  for (const KeyValue& pair : key_values(line))
    counters.push_back({pair.key, HeaderField(line, pair).dec()});
  return counters;
}

Task parse_task(LineCursor& line, int version) {
  Task task;
  task.comm = line.text("command");
  task.pid = line.dec("pid");
  task.mm = line.hex("mm");
  task.cpu = line.dec("cpu");
  task.min_flt = line.dec("minor faults");
  task.maj_flt = line.dec("major faults");
  task.cmin_flt = line.dec("children's minor faults");
  task.cmaj_flt = line.dec("children's major faults");
  task.utime = line.dec("user time");
  task.stime = line.dec("system time");
  if (version >= 2) {
    TaskIdentity& identity = task.identity.emplace();
    identity.tgid = line.dec("process");
    identity.start_time = line.dec("start time");
    identity.ppid = line.dec("parent");
    identity.uid = line.dec("user");
    if (line.has_more()) {
      TaskGroup& group = task.group.emplace();
      group.min_flt = line.dec("group's minor faults");
      group.maj_flt = line.dec("group's major faults");
      group.utime = line.dec("group's user time");
      group.stime = line.dec("group's system time");
      group.cgroup = line.text("cgroup");
    }
    line.skip_fields();
  } else {
    line.expect_end();
  }
  return task;
}

namespace {

HexColumns::Values hex_columns(LineCursor& line, VmaHints* hints) {
  HexColumns::Values values{};
  if (const std::size_t end = hints == nullptr ? 0 : hints->columns.read(line.line(), values);
      end != 0) {
    line.go_on_at(end);
    return values;
  }
  constexpr std::array<const char*, HexColumns::kFields> kNames{
      "start address", "last address", "size", "resident size", "protection", "flags"};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = line.hex(kNames[i]);
  if (hints != nullptr && line.ok()) hints->columns.learn(line.line());
  return values;
}

Name unit_of(std::string text) {
  return text == "NULL" ? Name() : Name(std::move(text));
}

/// Parses the fields after the flags, from version 2 on.
Vma parse_tail(LineCursor& line, VmaHints* hints) {
  const std::string_view written = line.left();
  if (const Vma* const known = hints == nullptr ? nullptr : hints->tails.find(written);
      known != nullptr) {
    line.go_on_at(line.line().size());
    return *known;
  }
  Vma vma;
  vma.unit = unit_of(line.text("unit"));
  vma.offset = line.hex("file offset");
  vma.device = line.device("device");
  vma.inode = line.dec("inode");
  if (line.has_more()) vma.raw_flags = line.hex("raw flags");
  line.skip_fields();
  if (hints != nullptr && line.ok()) hints->tails.put(written, vma);
  return vma;
}

/// Version 1 may print a wrong last address (figure 1 has one), so the size is used. Later versions
/// must be consistent.
void check_extent(Vma& vma, std::uint64_t size, const Header& header, LineCursor& line) {
  const std::uint64_t mask = header.page_size.bytes - 1;
  if (header.version == 1 && size != 0) vma.last = vma.start + size - 1;
  if (vma.last < vma.start || vma.size() == 0)
    line.fail(3, fmt::format("area {:08X} to {:08X} ends before it starts", vma.start, vma.last));
  else if ((vma.start & mask) != 0 || ((vma.last + 1) & mask) != 0)
    line.fail(3, fmt::format("area {:08X} to {:08X} does not begin and end at a page of {} bytes",
                             vma.start, vma.last, header.page_size.bytes));
  else if (size != vma.size())
    line.fail(
        3, fmt::format("size: found {:08X}, expected {:08X} (last - start + 1)", size, vma.size()));
  else if (vma.resident > vma.size())
    line.fail(3, fmt::format("resident: found {:08X} bytes, more than the area has ({:08X})",
                             vma.resident, vma.size()));
}

}  // namespace

Vma parse_vma(LineCursor& line, const Header& header, VmaHints* hints) {
  const auto [start, last, size, resident, prot, flags] = hex_columns(line, hints);
  Vma vma;
  if (header.version == 1)
    vma.unit = unit_of(line.rest());
  else
    vma = parse_tail(line, hints);
  vma.start = start;
  vma.last = last;
  vma.resident = resident;
  vma.prot = prot;
  vma.flags = flags;
  if (line.ok()) check_extent(vma, size, header, line);
  return vma;
}

PageCounts parse_counts(LineCursor& line, int version) {
  PageCounts counts;
  counts.user = line.dec("user pages");
  counts.executable = line.dec("executable pages");
  counts.read_only = line.dec("read-only pages");
  counts.single_use = line.dec("single-use pages");
  counts.shared = line.dec("shared pages");
  if (version >= 2) {
    counts.swapped = line.dec("swapped pages");
    if (line.has_more()) counts.unlisted = line.dec("unlisted pages");
    line.skip_fields();
  } else {
    line.expect_end();
  }
  return counts;
}

EndLine parse_end(LineCursor& line) {
  EndLine found;
  Totals& totals = found.totals;
  totals.tasks = line.dec("tasks");
  totals.areas = line.dec("areas");
  totals.pages = line.dec("mapped pages");
  totals.swapped = line.dec("swapped pages");
  line.dec("frame runs");  // F: lines, of versions before 2.8
  if (line.has_more()) found.end.excluded = line.dec("excluded pages");
  line.skip_fields();
  return found;
}

}  // namespace physmem
