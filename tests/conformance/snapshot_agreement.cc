// SPDX-License-Identifier: MIT
#include "tests/conformance/snapshot_agreement.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "tests/conformance/observers.h"

namespace physmem::conformance {
namespace {

// Field numbers of T: and V:.
constexpr std::size_t kMm = 2;
constexpr std::size_t kResident = 3;
constexpr std::size_t kProt = 4;
constexpr std::size_t kRawFlags = 10;
// Field numbers of P:.
constexpr std::size_t kSingle = 3;
constexpr std::size_t kShared = 4;
constexpr std::size_t kSwapped = 5;

constexpr const char* kTaskFields[] = {
    "name", "pid",   "mm",   "cpu", "minflt",  "majflt",  "cminflt", "cmajflt", "utime", "stime",
    "tgid", "start", "ppid", "uid", "gminflt", "gmajflt", "gutime",  "gstime",  "cgroup"};
constexpr const char* kAreaFields[] = {"start", "last",   "size",   "resident", "prot",     "flags",
                                       "unit",  "offset", "device", "inode",    "raw flags"};
constexpr const char* kCountFields[] = {"user",   "executable", "readonly",
                                        "single", "shared",     "swapped"};
constexpr const char* kHeaderKeys[] = {"arch",  "page_size", "kernel", "hz", "ram_pages",
                                       "flags", "count",     "pages",  "pfn"};
constexpr const char* kRawHeaderKeys[] = {"pte", "prot", "phys_mask"};

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%08llX", static_cast<unsigned long long>(value));
  return text;
}

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(std::uint64_t value) {
  return std::to_string(value);
}

// Whether the fields single and shared of P: match the pages.
bool is_sum_of_pages(const AreaRecord& area) {
  const auto of = [&](auto is_so) {
    return static_cast<std::uint64_t>(std::count_if(area.pages.begin(), area.pages.end(), is_so));
  };
  return area.count_fields.size() > kShared &&
         area.count_fields[kSingle] == of([](const Page& page) { return page.count == 1; }) &&
         area.count_fields[kShared] == of([](const Page& page) { return page.count > 1; });
}

// The fields of P:, with all pages in swap in one field. /proc reports how much shared memory is in
// swap, but not its slots.
std::vector<std::uint64_t> counts_of(const AreaRecord& area) {
  std::vector<std::uint64_t> counts = area.count_fields;
  if (counts.size() > kSwapped) counts[kSwapped] += area.unlisted();
  return counts;
}

/// Collects the differences of a place and of all places below it.
class Comparison {
 public:
  Comparison(const Snapshot& a, const Snapshot& b, const Comparing& how)
      : a_(a), b_(b), how_(how) {}

  void snapshots() {
    for (const std::string key : kHeaderKeys)
      field("H:", key, value_of(a_, key), value_of(b_, key));
    if (how_.is_raw)
      for (const std::string key : kRawHeaderKeys)
        field("H:", key, value_of(a_, key), value_of(b_, key));
    matched("", "T:", a_.tasks, b_.tasks, &TaskRecord::pid,
            [this](const TaskRecord& x, const TaskRecord& y) { task(x, y); });
  }
  std::vector<Difference> take() { return std::move(found_); }

 private:
  static std::string value_of(const Snapshot& snapshot, const std::string& key) {
    const auto found = snapshot.header.find(key);
    return found == snapshot.header.end() ? "" : found->second;
  }

  template <typename Value>
  void field(const std::string& place, const std::string& name, const Value& a, const Value& b) {
    if (a != b) found_.push_back({place + " " + name, text_of(a) + " against " + text_of(b)});
  }

  template <typename Value>
  void fields(const std::string& place, const std::vector<Value>& a, const std::vector<Value>& b,
              const char* const* names, std::size_t n, const std::vector<std::size_t>& left_out) {
    for (std::size_t i = 0; i < n; ++i) {
      if (std::find(left_out.begin(), left_out.end(), i) != left_out.end()) continue;
      if (i < a.size() && i < b.size())
        field(place, names[i], a[i], b[i]);
      else if (i < a.size() || i < b.size())
        found_.push_back({place + " " + names[i],
                          i < a.size() ? "missing in the second" : "missing in the first"});
    }
  }

  // Compares records of two ascending lists that have the same key. A record without a counterpart
  // is a difference.
  template <typename Record, typename Key, typename Compare>
  void matched(const std::string& place, const std::string& what, const std::vector<Record>& a,
               const std::vector<Record>& b, Key Record::*key, Compare compare) {
    std::map<std::uint64_t, std::pair<const Record*, const Record*>> pairs;
    for (const Record& record : a) pairs[record.*key].first = &record;
    for (const Record& record : b) pairs[record.*key].second = &record;
    for (const auto& [at, pair] : pairs) {
      if (pair.first != nullptr && pair.second != nullptr) {
        compare(*pair.first, *pair.second);
        continue;
      }
      const std::string name = what == "T:" ? std::to_string(at) : hex(at);
      found_.push_back({place + " " + what + " " + name,
                        pair.first != nullptr ? "missing in the second" : "missing in the first"});
    }
  }

  void task(const TaskRecord& a, const TaskRecord& b) {
    const std::string place = std::to_string(a.pid) + " T:";
    fields(place, a.fields, b.fields, kTaskFields, std::size(kTaskFields), {kMm});
    const bool is_one_to_one = b_of_a_.emplace(a.mm, b.mm).first->second == b.mm &&
                               a_of_b_.emplace(b.mm, a.mm).first->second == a.mm &&
                               (a.mm == 0) == (b.mm == 0);
    if (!is_one_to_one)
      found_.push_back({place + " mm", hex(a.mm) + " does not go with " + hex(b.mm)});
    matched(std::to_string(a.pid), "V:", a.areas, b.areas, &AreaRecord::start,
            [&](const AreaRecord& x, const AreaRecord& y) { area(std::to_string(a.pid), x, y); });
  }

  void area(const std::string& task, const AreaRecord& a, const AreaRecord& b) {
    const std::string start = hex(a.start);
    std::vector<std::size_t> left_out;
    if (!how_.is_raw) left_out = {kProt, kRawFlags};
    // The first count of an area, which the second P: replaces.
    if (a.was_recounted || b.was_recounted) left_out.push_back(kResident);
    fields(task + " V: " + start, a.fields, b.fields, kAreaFields, std::size(kAreaFields),
           left_out);
    const bool is_observed = how_.spares_observers && is_of_observers(a.unit);
    const std::size_t before = found_.size();
    fields(task + " P: " + start, counts_of(a), counts_of(b), kCountFields, std::size(kCountFields),
           is_observed ? std::vector{kSingle, kShared} : std::vector<std::size_t>{});
    if (is_sum_of_pages(a) && is_sum_of_pages(b))
      for (std::size_t i = before; i < found_.size(); ++i)
        found_[i].is_sum_of_pages = found_[i].place.ends_with(kCountFields[kSingle]) ||
                                    found_[i].place.ends_with(kCountFields[kShared]);
    matched(task, "M:", a.pages, b.pages, &Page::va, [&](const Page& x, const Page& y) {
      page(task + " M: " + hex(x.va), x, y, is_observed);
    });
    if (a.unlisted() == b.unlisted()) slots(task, a, b);
  }

  void slots(const std::string& task, const AreaRecord& a, const AreaRecord& b) {
    matched(task, "S:", a.swapped, b.swapped, &SwappedPage::va,
            [&](const SwappedPage& x, const SwappedPage& y) {
              field(task + " S: " + hex(x.va), "type", x.type, y.type);
              field(task + " S: " + hex(x.va), "slot", x.slot, y.slot);
            });
  }

  void page(const std::string& place, const Page& a, const Page& b, bool is_observed) {
    const std::uint64_t a_frame = a.value & a_mask_;
    const std::uint64_t b_frame = b.value & b_mask_;
    const std::uint64_t flags = ~((is_observed ? kObserversFlags : 0) | how_.flags_left_out);
    const std::size_t before = found_.size();
    field(place, "frame", hex(a_frame), hex(b_frame));
    if (how_.is_raw) field(place, "bits", hex(a.value & ~a_mask_), hex(b.value & ~b_mask_));
    field(place, "flags", hex(a.flags & flags), hex(b.flags & flags));
    if (!is_observed || !may_be_observers(a.count, b.count))
      field(place, "count", a.count, b.count);
    if (a_frame != b_frame) return;
    for (std::size_t i = before; i < found_.size(); ++i) found_[i].frame = a_frame;
  }

  const Snapshot& a_;
  const Snapshot& b_;
  const Comparing& how_;
  const std::uint64_t a_mask_ = std::stoull(a_.header.at("phys_mask"), nullptr, 16);
  const std::uint64_t b_mask_ = std::stoull(b_.header.at("phys_mask"), nullptr, 16);
  std::map<std::uint64_t, std::uint64_t> b_of_a_;  // mm
  std::map<std::uint64_t, std::uint64_t> a_of_b_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences_between(const Snapshot& a, const Snapshot& b,
                                            const Comparing& how) {
  Comparison comparison(a, b, how);
  comparison.snapshots();
  return comparison.take();
}

}  // namespace physmem::conformance
