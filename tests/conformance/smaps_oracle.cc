// SPDX-License-Identifier: MIT
#include "tests/conformance/smaps_oracle.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/conformance/kernel_flaws.h"
#include "tests/conformance/observers.h"

namespace physmem::conformance {
namespace {

// linux/kernel-page-flags.h
constexpr std::uint64_t kAnon = 1u << 12;
constexpr std::uint64_t kHuge = 1u << 17;
constexpr std::uint64_t kNoPage = 1u << 20;
constexpr std::uint64_t kThp = 1u << 22;
constexpr std::uint64_t kZeroPage = 1u << 24;

// The kernel computes shares of a page in fixed point, in units of 1/4096 byte.
constexpr std::uint64_t kShareUnit = 4096;

constexpr const char* kFields[] = {"Rss",       "Pss",  "Shared", "Private",
                                   "Anonymous", "Swap", "Hugetlb"};

// smaps lists such a page of the kernel in every process, but it is not a VMA of the address space.
bool is_of_kernel(const std::string& line) {
  return line.ends_with(" [vsyscall]") || line.ends_with(" [vectors]");
}

bool depends_on_others(const std::string& field) {
  return field == "Pss" || field == "Shared" || field == "Private";
}

// What smaps may lack in Pss: some of the huge pages that are mapped once.
bool is_lost_by_kernel(const AreaRecord& area, std::int64_t page_kb, std::int64_t missing_kb) {
  const std::int64_t huge_kb = huge_page_without_pss();
  std::int64_t in_huge_pages = 0;
  for (const Page& page : area.pages)
    if ((page.flags & kThp) != 0 && page.count == 1) in_huge_pages += page_kb;
  return huge_kb != 0 && missing_kb > 0 && missing_kb % huge_kb == 0 && missing_kb <= in_huge_pages;
}

}  // namespace

std::map<std::uint64_t, SmapsFields> read_smaps(std::uint64_t pid) {
  std::map<std::uint64_t, SmapsFields> areas;
  SmapsFields* now = nullptr;
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps");
  for (std::string line; std::getline(file, line);) {
    if (line.empty()) continue;
    const bool is_field = line[0] >= 'A' && line[0] <= 'Z';
    if (!is_field) {
      now = is_of_kernel(line) ? nullptr : &areas[std::stoull(line, nullptr, 16)];
      continue;
    }
    std::istringstream words(line);
    std::string name;
    std::int64_t kb = 0;
    words >> name >> kb;
    name.pop_back();
    if (name == "Shared_Clean" || name == "Shared_Dirty") name = "Shared";
    if (name == "Private_Clean" || name == "Private_Dirty") name = "Private";
    if (name == "Shared_Hugetlb" || name == "Private_Hugetlb") name = "Hugetlb";
    if (now != nullptr) (*now)[name] += kb;
  }
  return areas;
}

SmapsFields fields_of(const AreaRecord& area, std::uint64_t page_size) {
  const auto kb = static_cast<std::int64_t>(page_size / 1024);
  SmapsFields sums;
  std::uint64_t pss = 0;
  for (const Page& page : area.pages) {
    if ((page.flags & (kZeroPage | kNoPage)) != 0) continue;
    if ((page.flags & kHuge) != 0) {
      sums["Hugetlb"] += kb;
      continue;
    }
    sums["Rss"] += kb;
    if ((page.flags & kAnon) != 0) sums["Anonymous"] += kb;
    sums[page.count > 1 ? "Shared" : "Private"] += kb;
    pss += page_size * kShareUnit / (page.count > 1 ? page.count : 1);
  }
  sums["Pss"] = static_cast<std::int64_t>(pss / kShareUnit / 1024);
  sums["Swap"] = static_cast<std::int64_t>(area.swapped.size() + area.unlisted()) * kb;
  return sums;
}

std::vector<Difference> differences_to_smaps(const Snapshot& snapshot) {
  const std::uint64_t page_size = std::stoull(snapshot.header.at("page_size"));
  std::vector<Difference> differences;
  for (const TaskRecord& task : snapshot.tasks) {
    const std::string process = std::to_string(task.pid) + " ";
    auto smaps = read_smaps(task.pid);
    for (const AreaRecord& area : task.areas) {
      const auto kernel = smaps.find(area.start);
      if (kernel == smaps.end()) {
        differences.push_back({process + area.vma, "not in smaps"});
        continue;
      }
      SmapsFields ours = fields_of(area, page_size);
      for (const std::string field : kFields) {
        if (depends_on_others(field) && is_of_observers(area.unit)) continue;
        const std::int64_t allowed = field == "Pss" ? 1 : 0;
        const std::int64_t missing_kb = ours[field] - kernel->second[field];
        if (std::abs(missing_kb) <= allowed) continue;
        if (field == "Pss" &&
            is_lost_by_kernel(area, static_cast<std::int64_t>(page_size / 1024), missing_kb))
          continue;
        differences.push_back(
            {process + area.vma + " " + field, std::to_string(ours[field]) + " kB, smaps has " +
                                                   std::to_string(kernel->second[field])});
      }
      smaps.erase(kernel);
    }
    if (task.areas.empty()) continue;
    for (const auto& [start, fields] : smaps)
      differences.push_back({process + "area at " + std::to_string(start), "missing"});
  }
  return differences;
}

}  // namespace physmem::conformance
