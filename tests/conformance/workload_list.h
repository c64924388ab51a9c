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

/// Called by GoogleTest.
void PrintTo(const Workload& workload, std::ostream* out);

/// All cases.
const std::vector<Workload>& workloads();

/// Settings of the machine, restored in reverse order. Only one process of the machine changes
/// settings at a time; the lock of ctest covers one build tree only.
class MachineSettings {
 public:
  MachineSettings() = default;
  MachineSettings(const MachineSettings&) = delete;
  MachineSettings& operator=(const MachineSettings&) = delete;
  ~MachineSettings();

  /// Ignores settings that this kernel does not have. The case detects this itself and is skipped.
  void apply(const Workload& workload);

 private:
  UniqueFd lock_;
  std::vector<std::unique_ptr<MachineSetting>> settings_;
};

/// Starts the case and waits until it has stopped.
std::unique_ptr<StoppedProgram> start(const Workload& workload);

/// Whether a program of this name can be started.
bool is_program(const std::string& name);

}  // namespace physmem::conformance
