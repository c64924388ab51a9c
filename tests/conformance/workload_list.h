// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "program/unique_fd.h"
#include "tests/conformance/machine_setting.h"
#include "tests/conformance/workload_run.h"

namespace physmem::conformance {

/// A case of physmem-workload.
struct Workload {
  std::string name;
  std::vector<std::pair<std::string, std::string>> settings;  // of the machine: path and value
};

/// GoogleTest shows it so.
void PrintTo(const Workload& workload, std::ostream* out);

/// All of them.
const std::vector<Workload>& workloads();

/// Settings of the machine, put back in the reverse order. Only one process of the machine has any
/// at a time: the lock of ctest holds within one build tree.
class MachineSettings {
 public:
  MachineSettings() = default;
  MachineSettings(const MachineSettings&) = delete;
  MachineSettings& operator=(const MachineSettings&) = delete;
  ~MachineSettings();

  /// What this kernel does not have is left out: the case itself finds out and skips.
  void apply(const Workload& workload);

 private:
  UniqueFd lock_;
  std::vector<std::unique_ptr<MachineSetting>> settings_;
};

/// The case, running and stopped.
std::unique_ptr<StoppedProgram> start(const Workload& workload);

/// Whether a program of this name can be started.
bool is_program(const std::string& name);

}  // namespace physmem::conformance
