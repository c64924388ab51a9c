// SPDX-License-Identifier: MIT
// Starts all cases of physmem-workload, and each argument as a script of sh that prints its
// processes like a case. Prints all their processes as one list and keeps them until it is killed.
// Cases that this machine does not support are skipped, and the reason is printed.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>

#include "tests/conformance/workload_list.h"

namespace {

using physmem::conformance::StoppedProgram;
using Programs = std::vector<std::unique_ptr<StoppedProgram>>;

Programs start_all(const std::vector<std::string>& scripts) {
  Programs programs;
  for (const physmem::conformance::Workload& workload : physmem::conformance::workloads()) {
    programs.push_back(physmem::conformance::start(workload));
    if (programs.back()->skip_reason().empty()) continue;
    std::cerr << "left out: " << workload.name << ": " << programs.back()->skip_reason() << "\n";
    programs.pop_back();
  }
  for (const std::string& script : scripts)
    programs.push_back(
        std::make_unique<StoppedProgram>(std::vector<std::string>{"sh", "-c", script}));
  return programs;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    physmem::conformance::MachineSettings settings;
    for (const auto& workload : physmem::conformance::workloads()) settings.apply(workload);
    const Programs programs = start_all({argv + 1, argv + argc});
    std::vector<std::uint64_t> pids;
    for (const auto& program : programs)
      pids.insert(pids.end(), program->pids().begin(), program->pids().end());
    std::cout << physmem::conformance::comma_list(pids) << std::endl;
    for (;;) ::pause();
  } catch (const std::exception& error) {
    std::cerr << "start-workloads: " << error.what() << "\n";
    return 1;
  }
}
