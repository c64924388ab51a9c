// SPDX-License-Identifier: MIT
#include "tests/conformance/snapshot_agreement.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "tests/conformance/kernel_flaws.h"
#include "tests/conformance/observers.h"

namespace physmem::conformance {
namespace {

// Fields of T: and V:, by their place in the line.
constexpr std::size_t kMm = 2;
constexpr std::size_t kProt = 4;
constexpr std::size_t kRawFlags = 10;
// Of P:.
constexpr std::size_t kSingle = 3;
constexpr std::size_t kShared = 4;

constexpr const char* kTaskFields[] = {
    "name", "pid",   "mm",   "cpu", "minflt",  "majflt",  "cminflt", "cmajflt", "utime", "stime",
    "tgid", "start", "ppid", "uid", "gminflt", "gmajflt", "gutime",  "gstime",  "cgroup"};
constexpr const char* kAreaFields[] = {"start", "last", "size",   "resident", "prot",
                                       "flags", "unit", "offset", "device",   "inode"};
constexpr const char* kCountFields[] = {"user", "executable", "readonly", "single", "shared", "swapped"};
constexpr const char* kHeaderKeys[] = {"arch",  "page_size", "kernel", "hz", "ram_pages",
                                       "flags", "count",     "pages",  "pfn"};

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

/// The differences of one place and all below it.
class Comparison {
 public:
  Comparison(const Snapshot& a, const Snapshot& b) : a_(a), b_(b) {}

  void snapshots() {
    for (const std::string key : kHeaderKeys) field("H:", key, value_of(a_, key), value_of(b_, key));
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
        found_.push_back(
            {place + " " + names[i], i < a.size() ? "missing in the second" : "missing in the first"});
    }
  }

  // Records of two ascending lists that have the same key; those without their like are a difference.
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
    if (!is_one_to_one) found_.push_back({place + " mm", hex(a.mm) + " does not go with " + hex(b.mm)});
    matched(std::to_string(a.pid), "V:", a.areas, b.areas, &AreaRecord::start,
            [&](const AreaRecord& x, const AreaRecord& y) { area(std::to_string(a.pid), x, y); });
  }

  void area(const std::string& task, const AreaRecord& a, const AreaRecord& b) {
    const std::string name = " " + hex(a.start);
    fields(task + " V:" + name, a.fields, b.fields, kAreaFields, std::size(kAreaFields), {kProt, kRawFlags});
    const bool is_observed = is_of_observers(a.unit);
    fields(task + " P:" + name, a.count_fields, b.count_fields, kCountFields, std::size(kCountFields),
           is_observed ? std::vector{kSingle, kShared} : std::vector<std::size_t>{});
    const std::uint64_t a_mask = std::stoull(a_.header.at("phys_mask"), nullptr, 16);
    const std::uint64_t b_mask = std::stoull(b_.header.at("phys_mask"), nullptr, 16);
    matched(task, "M:", a.pages, b.pages, &Page::va, [&](const Page& x, const Page& y) {
      const std::string place = task + " M: " + hex(x.va);
      const std::uint64_t flags = ~((is_observed ? kObserversFlags : 0) | misleading_flags());
      field(place, "frame", hex(x.value & a_mask), hex(y.value & b_mask));
      field(place, "flags", hex(x.flags & flags), hex(y.flags & flags));
      if (!is_observed || !may_be_observers(x.count, y.count)) field(place, "count", x.count, y.count);
    });
    matched(task, "S:", a.swapped, b.swapped, &SwappedPage::va,
            [&](const SwappedPage& x, const SwappedPage& y) {
              field(task + " S: " + hex(x.va), "type", x.type, y.type);
              field(task + " S: " + hex(x.va), "slot", x.slot, y.slot);
            });
  }

  const Snapshot& a_;
  const Snapshot& b_;
  std::map<std::uint64_t, std::uint64_t> b_of_a_;  // mm
  std::map<std::uint64_t, std::uint64_t> a_of_b_;
  std::vector<Difference> found_;
};

}  // namespace

std::vector<Difference> differences_between(const Snapshot& a, const Snapshot& b) {
  Comparison comparison(a, b);
  comparison.snapshots();
  return comparison.take();
}

}  // namespace physmem::conformance
