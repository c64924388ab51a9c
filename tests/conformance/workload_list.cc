// SPDX-License-Identifier: MIT
#include "tests/conformance/workload_list.h"

#include <unistd.h>

#include <cstdlib>
#include <ostream>
#include <sstream>

namespace physmem::conformance {

const std::vector<Workload>& workloads() {
  static const std::string kPools = "/sys/kernel/mm/hugepages/hugepages-";
  static const std::string kThp = "/sys/kernel/mm/transparent_hugepage/";
  static const std::string kKsm = "/sys/kernel/mm/ksm/";
  static const std::vector<Workload> kWorkloads{
      {"private_anonymous", {}},
      {"touched_here_and_there", {}},
      {"shared_by_fork", {}},
      {"memfd_mapped_twice", {}},
      {"private_file_partly_written", {}},
      {"deleted_file", {}},
      {"hostile_file_name", {}},
      {"hostile_task_name", {}},
      {"huge_page", {}},
      {"huge_page_shared", {}},
      {"huge_pages_partly_shared", {}},
      {"huge_page_in_pieces", {}},
      {"folios_of_64k", {{kThp + "hugepages-64kB/enabled", "madvise"}}},
      {"merged_by_ksm",
       {{kKsm + "pages_to_scan", "1000"}, {kKsm + "sleep_millisecs", "5"}, {kKsm + "run", "1"}}},
      {"zero_page", {}},
      {"huge_zero_page", {}},
      {"hugetlb_page", {{"/proc/sys/vm/nr_hugepages", "4"}}},
      {"hugetlb_of_64k", {{kPools + "64kB/nr_hugepages", "4"}}},
      {"hugetlb_of_32m", {{kPools + "32768kB/nr_hugepages", "2"}}},
      {"hugetlb_of_1g", {{kPools + "1048576kB/nr_hugepages", "2"}}},
      {"resident_without_access", {}},
      {"nearly_empty_terabytes", {}},
      {"swapped_out", {}},
      {"memfd_swapped_out", {}},
      {"system_v_swapped_out", {}},
      {"shared_anonymous_swapped_out", {}},
      {"tmpfs_swapped_out", {}},
      {"private_mapping_swapped_out", {}},
      {"soft_dirty", {}},
      {"device_memory", {}},
      {"rings_of_the_kernel", {}},
      {"threads", {}},
      {"vfork_child", {}},
  };
  return kWorkloads;
}

void PrintTo(const Workload& workload, std::ostream* out) {
  *out << workload.name;
}

MachineSettings::~MachineSettings() {
  while (!settings_.empty()) settings_.pop_back();
}

void MachineSettings::apply(const Workload& workload) {
  for (const auto& [path, value] : workload.settings)
    settings_.push_back(std::make_unique<MachineSetting>(path, value));
}

std::unique_ptr<StoppedProgram> start(const Workload& workload) {
  const char* other = std::getenv("PHYSMEM_WORKLOAD");
  return std::make_unique<StoppedProgram>(
      std::vector<std::string>{other != nullptr ? other : PHYSMEM_WORKLOAD, workload.name});
}

bool is_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
  return false;
}

}  // namespace physmem::conformance
