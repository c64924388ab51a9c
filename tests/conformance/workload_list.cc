// SPDX-License-Identifier: MIT
#include "tests/conformance/workload_list.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ostream>
#include <sstream>
#include <system_error>

namespace physmem::conformance {

const std::vector<Workload>& workloads() {
  static const std::string kPools = "/sys/kernel/mm/hugepages/hugepages-";
  static const std::string kThp = "/sys/kernel/mm/transparent_hugepage/";
  static const std::string kKsm = "/sys/kernel/mm/ksm/";
  static const std::vector<Workload> kWorkloads{
      {"private_anonymous", {}},
      {"touched_sparsely", {}},
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
      {"guard_pages", {}},
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

namespace {

/// Waits until no other process holds the lock. Returns no lock if this process may not change
/// settings.
UniqueFd lock_settings() {
  if (::geteuid() != 0) return {};
  const std::string name = "/run/physmem-conformance.lock";
  UniqueFd file(::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file || ::flock(file.get(), LOCK_EX) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot lock " + name);
  return file;
}

}  // namespace

MachineSettings::~MachineSettings() {
  while (!settings_.empty()) settings_.pop_back();
}

void MachineSettings::apply(const Workload& workload) {
  if (!workload.settings.empty() && !lock_) lock_ = lock_settings();
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
